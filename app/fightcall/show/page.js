"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const byId = (id) => document.getElementById(id);
  const saved = byId("fight");
  let stage = { title: "", sides: {}, roles: {}, players: "", phases: [], pools: {} };
  let frame = { head: {}, order: [], board: null, figures: {}, ways: [] };
  let drawnBoard;
  let log = [];
  let mine = recall();

  // What is remembered of this reader, where the browser allows it

  function recall() {
    try { return localStorage.getItem("fightcall-mine") || ""; } catch { return ""; }
  }

  function remember(name) {
    mine = name;
    try { localStorage.setItem("fightcall-mine", name); } catch { /* it is only for this visit then */ }
  }

  // Frames

  function applyChanges(base, changes) {
    const figures = { ...base.figures };
    for (const [name, fields] of Object.entries(changes.figures || {})) figures[name] = { ...figures[name], ...fields };
    return {
      head: { ...base.head, ...changes.head },
      order: changes.order || base.order,
      board: "board" in changes ? changes.board : base.board,
      figures,
      ways: changes.ways || [],
    };
  }

  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function makeSvg(tag, attributes, text) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function sideClass(side) {
    return `side-${stage.roles[side] || "other"}`;
  }

  // Drawing

  function setStage(next) {
    stage = next;
    document.title = stage.title;
    byId("title").textContent = stage.title;
  }

  // The GM can paint on the map, or lead the fight to another one.
  function drawGround() {
    if (frame.board === drawnBoard) return;
    drawnBoard = frame.board;
    byId("map").classList.toggle("empty", !drawnBoard);
    document.body.classList.toggle("mapless", !drawnBoard);
    const board = byId("board");
    board.replaceChildren();
    if (!drawnBoard) return;
    board.setAttribute("viewBox", `0 0 ${drawnBoard.width} ${drawnBoard.height}`);
    const drawn = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${drawnBoard.ground}</svg>`, "image/svg+xml");
    board.append(...drawn.documentElement.childNodes, makeSvg("g", { id: "ways" }), makeSvg("g", { id: "tokens" }));
  }

  // The board comes first: on a wide screen the timeline stands under it only where it takes nothing from the board.
  function makeRoom() {
    document.body.classList.remove("full");
    if (saved || !drawnBoard) return;
    const most = (across, down) => Math.min(across / drawnBoard.width, down / drawnBoard.height);
    const size = () => byId("map").getBoundingClientRect();
    const beside = size();
    document.body.classList.add("full");
    const alone = size();
    const takesNothing = most(beside.width, beside.height) >= most(alone.width, alone.height);
    document.body.classList.toggle("full", !takesNothing);
  }

  function draw() {
    drawHead();
    drawRoster();
    drawBoard();
    drawMe();
    drawCall();
  }

  function drawHead() {
    const head = frame.head;
    const time = head.clock ? `, ${Math.floor(head.clock / 60)}:${String(head.clock % 60).padStart(2, "0")}` : "";
    const side = head.side && head.now !== head.side ? ` · ${stage.sides[head.side] || head.side}` : "";
    const now = head.status === "closed" ? "over" : head.now;
    const shared = head.shared.map((words) => ` · ${words}`).join("");
    setText("round", [head.title, now].filter(Boolean).join(" · ") + (now ? side : "") + time + shared);
    // Where what runs is somebody's turn, its parts are of no interest to those who look on.
    const items = stage.phases.some(([, title]) => title === head.now) ? stage.phases.map(([id, title]) => {
      const item = make("li", "", title);
      if (id === head.phase) item.setAttribute("aria-current", "step");
      return item;
    }) : [];
    byId("phases").replaceChildren(...items);
  }

  function setText(id, text) {
    const element = byId(id);
    if (element.textContent !== text) element.textContent = text;
  }

  function turnWords(turn) {
    if (turn === 0) return "acts now";
    if (turn === 1) return "next";
    return turn ? `in ${turn}` : "";
  }

  function drawRoster() {
    const rows = frame.order.map((id) => {
      const figure = frame.figures[id];
      const row = make("li", sideClass(figure.side));
      row.classList.toggle("now", figure.turn === 0);
      row.classList.toggle("down", !figure.able);
      row.classList.toggle("mine", id === mine);
      row.append(make("span", "label", figure.label), make("span", "name", figure.name));
      row.append(make("span", "turn", turnWords(figure.turn)));
      const more = make("span", "more");
      if (figure.health) more.append(make("span", `health ${figure.health.replace(" ", "-")}`, figure.health));
      const pools = Object.entries(figure.pools).map(([id, [left, most]]) => `${stage.pools[id] || id} ${left}/${most}`);
      const rest = [...pools, figure.place, ...figure.effects, figure.hidden ? "hidden" : "", figure.declared].filter(Boolean).join(", ");
      if (rest) more.append((figure.health ? ", " : "") + rest);
      row.append(more);
      return row;
    });
    byId("roster").replaceChildren(...rows);
  }

  function drawMe() {
    const players = saved ? [] : frame.order.filter((id) => frame.figures[id].side === stage.players);
    byId("me").hidden = !players.length;
    const select = byId("me").querySelector("select");
    const known = [...select.options].slice(1).map((option) => option.value);
    if (known.join() !== players.join()) {
      select.replaceChildren(select.options[0], ...players.map((id) => Object.assign(make("option", "", frame.figures[id].name), { value: id })));
    }
    select.value = players.includes(mine) ? mine : "";
  }

  function drawBoard() {
    drawGround();
    const tokens = byId("tokens");
    if (!tokens) return;
    const drawn = new Map([...tokens.children].map((token) => [token.dataset.id, token]));
    const kept = [];
    for (const id of frame.order) {
      const figure = frame.figures[id];
      if (!figure.at) continue;
      const token = drawn.get(id) || makeSvg("g", { "data-id": id });
      token.setAttribute("class", `token ${sideClass(figure.side)}${figure.turn === 0 ? " now" : ""}${figure.able ? "" : " down"}${figure.hidden ? " hidden" : ""}`);
      token.setAttribute("transform", `translate(${figure.at[0]} ${figure.at[1]})`);
      const parts = [makeSvg("title", {}, `${figure.name}, ${figure.place}`), makeSvg("circle", { r: 15 })];
      if (figure.facing !== null && figure.able) {
        parts.push(makeSvg("path", { class: "facing", d: "M17 -6L23 0L17 6Z", transform: `rotate(${figure.facing})` }));
      }
      parts.push(makeSvg("text", { y: 5 }, figure.able ? figure.label : "×"));
      token.replaceChildren(...parts);
      kept.push(token);
    }
    // Those who are down lie under those who stand.
    kept.sort((a, b) => Number(b.classList.contains("down")) - Number(a.classList.contains("down")));
    tokens.replaceChildren(...kept);
    byId("ways").replaceChildren(...frame.ways.map(([, points]) =>
      makeSvg("polyline", { class: "way", points: points.map((point) => point.join(",")).join(" ") })));
    const there = kept.map((token) => token.firstChild.textContent).join("; ");
    byId("board").setAttribute("aria-label", `Board: ${there || "no one"}`);
  }

  function drawCall() {
    const figure = !saved && frame.figures[mine];
    const words = !figure || !figure.able ? "" : figure.turn === 0 ? `${figure.name}: your turn` : figure.turn === 1 ? `${figure.name}: you are next` : "";
    byId("call").hidden = !words;
    setText("call", words);
  }

  function drawLines(from) {
    const list = byId("log");
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
    while (list.children.length > from) list.lastChild.remove();
    list.append(...log.slice(from).map(([kind, text]) => make("li", kind, text)));
    if (atEnd || from === 0) list.scrollTop = list.scrollHeight;
  }

  // The timeline

  const MARKS = {
    acts: ["●", "acts"], moves: ["→", "moves"], hit: ["✓", "hits"], miss: ["✗", "misses"], hurt: ["−", "is hurt"],
    heals: ["+", "heals"], down: ["×", "is down"], rises: ["↑", "can act again"], declares: ["▸", "declares"],
    waits: ["·", "passes"], joins: ["+", "joins"], leaves: ["←", "leaves"], ruled: ["!", "GM ruling"],
  };
  const MOST_COLUMNS = 60;
  let time = { lanes: [], columns: [], spans: [], ahead: [] };

  // Of a fight that is played only the newest columns are drawn; a replay is drawn once, with all of them.
  function drawTime() {
    const first = saved ? 0 : Math.max(0, time.columns.length - MOST_COLUMNS);
    const every = [...time.columns, ...time.ahead].slice(first);
    const begun = time.columns.length - first;
    const head = byId("time").querySelector("thead");
    const body = byId("time").querySelector("tbody");
    const labels = new Map(time.lanes.map(([id, label]) => [id, label]));
    head.replaceChildren(
      headRow(every, ([title]) => title, ([title]) => title),
      headRow(every, ([title, phase]) => `${title}/${phase}`, ([, phase]) => phase),
      row("th", every.map((column, index) => {
        const cell = make("th", index < begun ? "" : "ahead", columnWords(column, every, labels));
        cell.scope = "col";
        if (index < begun) cell.dataset.place = column[6];
        if (column[5]) cell.classList.add("secret");
        return cell;
      })),
    );
    body.replaceChildren(...time.lanes.flatMap(([id, label, name, side]) => [
      laneRow(id, label, name, side, every, begun),
      ...spanRows(id, first, every.length),
    ]));
    byId("time").hidden = !every.length;
    const box = byId("time").querySelector(".across");
    if (!saved) box.scrollLeft = box.scrollWidth;
  }

  function row(tag, cells, first = make(tag, "who")) {
    const made = make("tr");
    made.append(first, ...cells);
    return made;
  }

  function headRow(columns, keyOf, wordsOf) {
    const cells = [];
    columns.forEach((column, index) => {
      if (index && keyOf(column) === keyOf(columns[index - 1])) cells.at(-1).colSpan += 1;
      else cells.push(Object.assign(make("th", "part", wordsOf(column)), { scope: "colgroup" }));
    });
    return row("td", cells);
  }

  function columnWords([title, phase, side, actor, number], every, labels) {
    if (actor) return labels.get(actor) || "";
    if (side) return (stage.sides[side] || side).slice(0, 1);
    const several = phase && every.some((other) => other[0] === title && other[1] === phase && other[4] > 1);
    return several ? String(number) : "";
  }

  function laneRow(id, label, name, side, every, begun) {
    const who = make("th", `who ${sideClass(side)}`);
    who.scope = "row";
    who.append(make("span", "label", label), make("span", "name", name));
    return row("td", every.map((column, index) => {
      const cell = make("td", index < begun ? "" : "ahead");
      const acts = index < begun ? column[7].filter((act) => act[0] === id) : [];
      cell.append(...acts.map(([, kind, amount, place, secret]) => {
        const [sign, words] = MARKS[kind];
        const mark = make("span", `mark-${kind}${secret ? " secret" : ""}`, sign + (amount || ""));
        mark.title = `${name} ${words}${amount ? ` ${amount}` : ""}${secret ? ", in secret" : ""}`;
        mark.dataset.place = place;
        return mark;
      }));
      return cell;
    }), who);
  }

  function spanRows(id, first, count) {
    return time.spans.filter(([who, , , last]) => who === id && (last === null || last >= first)).map(([, name, start, last, secret, end, words]) => {
      const from = Math.max(0, start - first);
      const to = Math.min((last ?? end ?? count - 1 + first) - first, count - 1);
      const bar = make("td", secret ? "span secret" : "span", words ? `${name}, ${words}` : name);
      bar.colSpan = to - from + 1;
      const gap = from ? [Object.assign(make("td"), { colSpan: from })] : [];
      return row("td", [...gap, bar]);
    });
  }

  // A fight that is being played

  const RETRY_MS = 2000;
  const LONG_MS = 20000;

  // A line can be dead without an error, as after a phone has slept: the page connects again when it hears nothing.
  function follow() {
    let source = null;
    let beat = 5000;
    let heardAt = 0;
    let lostAt = 0;
    let timer = 0;

    function connect() {
      clearTimeout(timer);
      heardAt = Date.now();
      source = new EventSource("events");
      source.addEventListener("error", lose);
      source.addEventListener("beat", () => { heardAt = Date.now(); });
      source.addEventListener("message", (event) => {
        heardAt = Date.now();
        const message = JSON.parse(event.data);
        if (message.beat) beat = message.beat * 1000;
        take(message);
        lostAt = 0;
        // Each connection begins with a whole state: until it is drawn, what is on the screen may be old.
        say("live");
      });
    }

    function lose() {
      if (source) source.close();
      source = null;
      lostAt ||= Date.now();
      if (Date.now() - lostAt > LONG_MS) say("still no connection. Trying again; ask the GM if there is a new address", "lost");
      else say("connection lost. Trying again", "lost");
      clearTimeout(timer);
      timer = setTimeout(retry, RETRY_MS);
    }

    // Asks for the page first: an event source cannot tell an address that is no longer valid from a lost connection.
    async function retry() {
      const giveUp = new AbortController();
      timer = setTimeout(() => giveUp.abort(), 2 * beat);
      let status = 0;
      try { status = (await fetch(location.pathname, { cache: "no-store", signal: giveUp.signal })).status; } catch { /* lost */ }
      clearTimeout(timer);
      if (status === 200) return connect();
      lose();
      if (status === 404) say("this address is no longer valid. Ask the GM for the new one", "lost");
      return undefined;
    }

    function listen() {
      if (source && Date.now() - heardAt > 2 * beat) lose();
    }

    byId("me").addEventListener("change", (event) => { remember(event.target.value); draw(); });
    window.addEventListener("resize", makeRoom);
    setInterval(listen, 1000);
    document.addEventListener("visibilitychange", listen);
    connect();
  }

  function take(message) {
    if (message.stage) {
      setStage(message.stage);
      frame = { head: {}, order: [], board: null, figures: {}, ways: [] };
      log = [];
    }
    frame = applyChanges(frame, message);
    draw();
    if (message.log) {
      const [kept, lines] = message.log;
      log = [...log.slice(0, kept), ...lines];
      drawLines(kept);
    }
    if (message.time) {
      time = { ...message.time, columns: [...time.columns.slice(0, message.time.kept), ...message.time.columns] };
      drawTime();
    }
    makeRoom();
  }

  function say(text, className = "") {
    byId("link").className = className;
    setText("link", text);
  }

  // A fight that is looked at again

  function replay({ stage: told, shots, lines, time: lanes, after }) {
    setStage(told);
    time = lanes;
    drawTime();
    drawAfter(after);
    const frames = [];
    for (const changes of shots) frames.push(applyChanges(frames.at(-1) || frame, changes));
    log = lines;
    drawLines(0);
    const list = byId("log");
    list.classList.add("jumps");
    list.removeAttribute("aria-live");
    const scrubber = byId("scrubber");
    scrubber.max = String(frames.length - 1);
    let place = 0;
    let timer = 0;

    const phaseOf = ({ head }) => `${head.round}/${head.now || head.phase}/${head.side}`;
    const roundOf = ({ head }) => `${head.round}`;
    byId("ticks").append(...frames.flatMap((each, index) => {
      const begins = index && roundOf(each) !== roundOf(frames[index - 1]);
      return begins ? [Object.assign(make("option"), { value: String(index), label: each.head.title })] : [];
    }));
    byId("replay").hidden = false;

    function go(to, write = true) {
      place = Math.max(0, Math.min(frames.length - 1, to));
      frame = frames[place];
      draw();
      scrubber.value = String(place);
      markTime();
      byId("after").hidden = !after.length || place < frames.length - 1;
      scrubber.setAttribute("aria-valuetext", byId("round").textContent || "the beginning");
      let here = null;
      [...list.children].forEach((item, index) => {
        const shot = log[index][2];
        item.classList.toggle("here", shot === place && log[index][0] !== "heading");
        item.classList.toggle("later", shot > place);
        if (shot <= place) here = item;
      });
      if (here) scrollTo(here);
      if (write) history.replaceState(null, "", `#${hashOf(place)}`);
    }

    function drawAfter(sections) {
      byId("after").querySelector(".parts").replaceChildren(...sections.map(([title, note, details]) => {
        const part = make("section");
        part.append(make("h3", "", note ? `${title}, ${note}` : title));
        const said = make("dl");
        for (const [name, text] of details) said.append(make("dt", "", name), make("dd", "", text));
        part.append(said);
        return part;
      }));
    }

    function markTime() {
      const heads = [...byId("time").querySelectorAll("thead tr:last-child th[data-place]")];
      const at = heads.findLastIndex((cell) => Number(cell.dataset.place) <= place);
      for (const [index, cell] of heads.entries()) {
        if (index === at) cell.setAttribute("aria-current", "step"); else cell.removeAttribute("aria-current");
      }
      for (const mark of byId("time").querySelectorAll("tbody [data-place]")) {
        mark.classList.toggle("here", Number(mark.dataset.place) === place);
        mark.classList.toggle("later", Number(mark.dataset.place) > place);
      }
      const box = byId("time").querySelector(".across");
      if (at >= 0) box.scrollLeft = heads[at].offsetLeft - box.clientWidth * 0.6;
    }

    // Only the list moves, not the page: the board stays in sight.
    function scrollTo(item) {
      const above = item.offsetTop - list.offsetTop;
      if (above < list.scrollTop || above + item.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = above - list.clientHeight / 2;
      }
    }

    function slug(text) {
      return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
    }

    function partOf(index) {
      const { head } = frames[index];
      return `r${head.round}-${slug(head.now || head.phase || "start")}`;
    }

    function hashOf(index) {
      const part = partOf(index);
      const first = frames.findIndex((_, other) => partOf(other) === part);
      return index === first ? part : `${part}.${index - first}`;
    }

    function fromHash() {
      const [part, more] = decodeURIComponent(location.hash.slice(1)).split(".");
      if (!part) return false;
      const round = /^r(\d+)$/.exec(part);
      const found = frames.findIndex((each, index) => (round ? each.head.round === Number(round[1]) : partOf(index) === part));
      if (found < 0) return false;
      go(found + (Number(more) || 0), false);
      return true;
    }

    function step(kind, way) {
      if (kind === "act") return go(place + way);
      const keyOf = kind === "round" ? roundOf : phaseOf;
      const here = keyOf(frames[place]);
      let to = place;
      while (to + way >= 0 && to + way < frames.length && keyOf(frames[to]) === here) to += way;
      // Backwards, to where that part begins.
      if (way < 0) while (to > 0 && keyOf(frames[to - 1]) === keyOf(frames[to])) to -= 1;
      return go(to);
    }

    function stop() {
      clearInterval(timer);
      timer = 0;
      byId("play").textContent = "Play";
      byId("play").setAttribute("aria-pressed", "false");
    }

    function toggle() {
      if (timer) return stop();
      if (place === frames.length - 1) go(0);
      byId("play").textContent = "Pause";
      byId("play").setAttribute("aria-pressed", "true");
      timer = setInterval(() => { if (place === frames.length - 1) stop(); else go(place + 1); }, 1200 / Number(byId("speed").value));
      return undefined;
    }

    byId("play").addEventListener("click", toggle);
    byId("speed").addEventListener("change", () => { if (timer) { stop(); toggle(); } });
    scrubber.addEventListener("input", () => { stop(); go(Number(scrubber.value)); });
    for (const button of document.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => { stop(); step(button.dataset.step, Number(button.dataset.way)); });
    }
    list.addEventListener("click", (event) => {
      const index = [...list.children].indexOf(event.target.closest("li"));
      if (index >= 0) { stop(); go(log[index][2]); }
    });
    byId("time").addEventListener("click", (event) => {
      const there = event.target.closest("[data-place]");
      if (there) { stop(); go(Number(there.dataset.place)); }
    });
    addEventListener("hashchange", fromHash);
    addEventListener("keydown", (event) => {
      if (event.target.closest("select, input") || event.ctrlKey || event.metaKey || event.altKey) return;
      const moves = { ArrowLeft: ["act", -1], ArrowRight: ["act", 1], PageUp: ["phase", -1], PageDown: ["phase", 1], "[": ["round", -1], "]": ["round", 1] };
      if (event.key === " " && !event.target.closest("button")) toggle();
      else if (event.key === "Home") go(0);
      else if (event.key === "End") go(frames.length - 1);
      else if (event.key in moves) { stop(); step(...moves[event.key]); }
      else return;
      event.preventDefault();
    });
    if (!fromHash()) go(0, false);
  }

  if (saved) replay(JSON.parse(saved.textContent));
  else follow();
})();
