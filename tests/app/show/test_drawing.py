"""A board as SVG: every place drawn once, everybody inside it, nothing in a name taken for markup."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from fightcall.show import centre_of, draw_board, draw_picture, facing_angle, place_figures
from fightcall.themes import load_shipped
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.kinds import grid_board, zone_board
from fightcall_engine.play.chart import Reel

BOARDS = ("ambush-at-the-ford", "the-tiltyard", "fire-at-the-playhouse")


def fight_on(encounter):
    return start_fight(load_encounter(encounter), id="fight", seed="1")


@pytest.mark.parametrize("encounter", BOARDS)
def test_everybody_stands_inside_the_drawing_and_apart(encounter):
    fight = fight_on(encounter)
    board = fight.state.board
    drawing = draw_board(board)
    figures = Reel(fight, for_gm=True).shots[0].frame.figures
    points = place_figures(board, figures)
    assert set(points) == {figure.id for figure in figures if figure.at is not None}
    assert len(set(points.values())) == len(points)
    assert all(0 < x < drawing.width and 0 < y < drawing.height for x, y in points.values())


@pytest.mark.parametrize("encounter", BOARDS)
def test_every_place_is_drawn_once(encounter):
    board = fight_on(encounter).state.board
    ground = draw_board(board).ground
    drawn = ground.count("<rect") if zone_board(board) is not None else ground.count("z")
    assert drawn == len(list(board.places()))
    ElementTree.fromstring(f"<svg>{ground}</svg>")


def test_neighbours_are_drawn_side_by_side():
    board = fight_on("ambush-at-the-ford").state.board
    place = grid_board(board).at(4, 4)
    x, y = centre_of(board, place)
    near = [centre_of(board, other) for other in board.neighbours(place)]
    assert {round(((x - a) ** 2 + (y - b) ** 2) ** 0.5) for a, b in near} == {40}


def test_facing_east_points_right_and_north_points_up():
    board = fight_on("the-tiltyard").state.board
    assert [facing_angle(board, board.directions.index(name)) for name in ("E", "N")] == [0, -90]
    assert facing_angle(board, None) is None


def test_a_picture_is_sound_and_says_which_moment_it_is():
    fight = fight_on("fire-at-the-playhouse")
    fight.give("start")
    frame = Reel(fight).shots[-1].frame
    figure = replace(frame.figures[0], label="<b>")
    frame = replace(frame, figures=(figure, *frame.figures[1:]))
    svg = draw_picture(fight.state.board, frame, "Fire & <smoke>", fight.system, load_shipped())
    root = ElementTree.fromstring(svg)
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert texts[0].startswith("Fire & <smoke> · ")
    assert "<b>" in texts
    assert not re.search(r"(href|url\(|https?://(?!www\.w3\.org))", svg)
