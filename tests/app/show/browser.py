"""A real browser without a window, for the pages that the program makes."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

_FOUND = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
CHROMIUM = next((path for path in _FOUND if path), "")
DRIVER = shutil.which("chromedriver") or ""
MISSING = "" if CHROMIUM and DRIVER else "left out: no chromium and chromedriver are installed"

PHONE, TABLET, TELEVISION = (390, 844), (820, 1180), (1920, 1080)


@contextmanager
def open_browser() -> Iterator[webdriver.Chrome]:
    """A browser; what it complains of is in `complaints`."""
    options = webdriver.ChromeOptions()
    switches = ["--headless=new", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    if os.name == "posix" and os.geteuid() == 0:
        switches.append("--no-sandbox")
    for switch in switches:
        options.add_argument(switch)
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield browser
    finally:
        browser.quit()


def resize(browser: webdriver.Chrome, size: tuple[int, int]) -> None:
    """Give the page a size of its own, whatever the window has."""
    across, down = size
    metrics = {"width": across, "height": down, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def complaints(browser: webdriver.Chrome) -> list[str]:
    """What the browser has complained of: errors in the script, things that the page was not allowed to do."""
    return [entry["message"] for entry in browser.get_log("browser")]


def picture(browser: webdriver.Chrome, name: str) -> None:
    """Keep a picture of the page in the folder that FIGHTCALL_PICTURES names, where it names one."""
    folder = os.environ.get("FIGHTCALL_PICTURES")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        browser.save_screenshot(str(Path(folder) / f"{name}.png"))
