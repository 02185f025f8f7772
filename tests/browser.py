"""A real browser for the report page: Debian's Chromium, without a window or a network."""

from __future__ import annotations

import shutil
import time
from contextlib import contextmanager

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
QUIET = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--window-size=1400,1000",
)


@contextmanager
def chromium():
    """A driver of a browser that logs what its pages say and ask for."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in QUIET:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


def open_page(driver, file):
    """Open a report and wait until it can be used.

    A driver may come back from `get` while a large page is still being read.
    """
    driver.get(file.as_uri())
    until = time.monotonic() + 60
    while not driver.execute_script("return document.readyState === 'complete'"):
        assert time.monotonic() < until, f"{file} is not complete"
        time.sleep(0.01)
    assert driver.execute_script("return !!window.planetree"), f"the script of {file} has failed"
