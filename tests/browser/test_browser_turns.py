"""Play by turns over days, and being told that it is one's turn, with the page in Chromium."""

import json
from typing import Any

import pytest
from axe import faults
from conftest import Visit
from test_browser_friends import invite, play_until_lit, sit, start
from visiting import (
    COMPUTER,
    DESK,
    FRIEND,
    LANGUAGES,
    ME,
    NO_PAGE,
    PHONE,
    deal,
    faults_of_wording,
    messages,
    open_table,
    overhang,
    sit_and_start,
    words_of,
)

WORDS = messages("en")
KEY = "BPushKey_-9A"
POINT = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"  # on the curve
KEYS = {"endpoint": "https://push.example/1", "p256dh": POINT, "auth": "AAAAAAAAAAAAAAAAAAAAAA"}
OLD = KEYS | {"endpoint": "https://fcm.googleapis.com/fcm/send/old"}
NEW = KEYS | {"endpoint": "https://updates.push.services.mozilla.com/wpush/v2/new"}
NO_WAYS: dict[str, Any] = {"key": KEY, "channels": [], "ways": []}
HERE = {"id": "w1", "kind": "push", "name": "Chrome, Linux", "here": True, "quiet_from": 22, "quiet_until": 8}
OTHER = HERE | {"id": "w2", "name": "Safari, iPhone", "here": False, "quiet_from": 23, "quiet_until": 7}
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari"

# A push service that takes everyone, and a reader who says yes when the browser asks. What was asked for is in `asked`.
WILLING = """
(had, { endpoint, ...keys }) => {
  window.asked = [];
  let there = null;
  const plain = key => key.replaceAll("-", "+").replaceAll("_", "/");
  const bytesOf = key => Uint8Array.from(atob(plain(key)), letter => letter.charCodeAt(0)).buffer;
  const give = key => there = {
    options: { applicationServerKey: bytesOf(key) },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => { asked.push("unsubscribe"); there = null; },
  };
  if (had) give(had);
  const pushManager = {
    getSubscription: async () => there,
    subscribe: async ({ applicationServerKey }) => (asked.push("subscribe"), give(applicationServerKey)),
  };
  const registration = { pushManager, active: { postMessage: () => {} } };
  const serviceWorker = { register: async () => registration, getRegistration: async () => registration,
    ready: Promise.resolve(registration) };
  Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker });
  let permission = had ? "granted" : "default";
  Object.defineProperty(Notification, "permission", { get: () => permission });
  Notification.requestPermission = async () => (asked.push("permission"), permission = "granted");
}
"""

# What a system shows, where a browser without a screen shows no notification and dies of a badge: the notifications by
# tag, how often one sounded, the badge. `told` counts the messages that were answered.
SCREEN = """
() => {
  const shown = globalThis.shown = new Map();
  [globalThis.sounds, globalThis.opened, globalThis.badge, globalThis.told] = [0, [], null, 0];
  navigator.setAppBadge = async count => (badge = count);
  const { waitUntil } = ExtendableEvent.prototype;
  PushEvent.prototype.waitUntil = function (work) { waitUntil.call(this, work.finally(() => (told += 1))); };
  registration.showNotification = async (title, { silent, ...more }) => {
    if (!silent) sounds += 1;
    shown.set(more.tag, { title, ...more, close: () => shown.delete(more.tag) });
  };
  registration.getNotifications = async ({ tag }) => [...shown.values()].filter(one => one.tag === tag);
  clients.openWindow = async address => opened.push(address);
}
"""
CLICK = """
async () => {
  let done;
  const [notification] = shown.values();
  dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil: work => (done = work) }));
  await done;
}
"""

# A push service that the browser has changed to, and what the worker asks and sends then.
ANOTHER_SERVICE = """
({ endpoint, ...keys }) => {
  [globalThis.asked, globalThis.posts] = [[], []];
  registration.pushManager.subscribe = async wish => (asked.push(wish), { toJSON: () => ({ endpoint, keys }) });
  const plain = globalThis.fetch;
  globalThis.fetch = async (address, more) => {
    const answer = await plain(address, more);
    if (more?.method === "POST") posts.push([answer.status, JSON.parse(more.body)]);
    return answer;
  };
}
"""
CHANGE = """
async () => {
  let done;
  dispatchEvent(Object.assign(new Event("pushsubscriptionchange"), { waitUntil: work => (done = work) }));
  await done;
}
"""
POST = """
async wish => {
  const headers = { "content-type": "application/json" };
  return (await fetch("/api/me/ways/push", { method: "POST", headers, body: JSON.stringify(wish) })).json();
}
"""
OPEN = """
async () => {
  const seats = [{ kind: "me", name: "Ann" }, { kind: "friend" }];
  const body = JSON.stringify({ game: "play_nine", seats, options: { tempo: "day" } });
  return (await fetch("/api/tables", { method: "POST", headers: { "content-type": "application/json" }, body })).json();
}
"""


def willing(page: Any, had: str = "", **more: str) -> None:
    page.add_init_script(f"({WILLING})({json.dumps(had)}, {json.dumps(KEYS | more)})")


def await_asked(page: Any, wanted: str) -> None:
    page.wait_for_function("wanted => asked.join() === wanted", arg=wanted)


def serve_ways(page: Any, ways: dict[str, Any], after: dict[str, Any] | None = None) -> list[tuple[str, str, Any]]:
    """The server of the ways to be told: `after` is its answer to each wish. The wishes that came."""
    wishes: list[tuple[str, str, Any]] = []

    def answer(route: Any) -> None:
        asked = route.request
        if asked.method == "GET":
            return route.fulfill(json=ways)
        wishes.append(
            (asked.method, asked.url.partition("/api/me/ways")[2], asked.post_data_json if asked.post_data else None)
        )
        return route.fulfill(json=after or ways)

    page.route("**/api/me/ways**", answer)
    return wishes


def press(page: Any, words: str) -> None:
    page.get_by_role("button", name=WORDS[words], exact=True).click()


def ben_gone(visit: Visit, **wish: Any) -> tuple[Any, Any]:
    """Ann and Ben play by turns, it is his turn, and he has closed the page; her page, and his."""
    ann, path = invite(visit, FRIEND, tempo="three_days")
    serve_ways(ann, NO_WAYS)
    willing(ann)
    ann.reload()
    ben = visit(path, viewport=PHONE)
    sit(ben, "Ben")
    start(ann)
    deal(ann, ben)
    play_until_lit(ann, ben)
    return ann, ben


def test_the_host_chooses_how_many_days_a_turn_may_take(visit: Visit) -> None:
    page = visit("/new", viewport=PHONE)
    page.get_by_role("button", name=WORDS["start_play"], exact=True).wait_for()
    page.get_by_role("combobox").last.select_option("friend")
    page.get_by_text(WORDS["start_options"]).click()
    page.get_by_role("radio", name=WORDS["tempo_turns"]).check(force=True)
    page.get_by_text("you have 3 days for each turn").wait_for()
    page.get_by_role("radio", name="7 days").check(force=True)
    page.get_by_text("you have 7 days for each turn").wait_for()
    assert not faults(page)
    press(page, "start_invite")
    page.get_by_text(WORDS["turns_lobby_host"].format(start=WORDS["lobby_start"])).wait_for()
    page.get_by_text(WORDS["start_options"]).click()
    assert page.get_by_role("radio", name="7 days").is_checked()


def test_a_table_on_one_device_is_not_by_turns(visit: Visit) -> None:
    page = visit(NO_PAGE)
    sit_and_start(page, {"kind": "me", "name": "Ann"}, {"kind": "here", "name": "Bea"})
    press(page, "menu_open")
    page.get_by_text(WORDS["start_options"]).click()
    page.get_by_role("radio", name=WORDS["tempo_quick"]).wait_for(state="attached")


def test_who_has_moved_reads_how_long_the_other_has_and_nobody_plays_for_them(visit: Visit) -> None:
    ann, ben = ben_gone(visit)
    ben.get_by_text("3 days left").wait_for()
    ben.close()
    ann.get_by_text(WORDS["turns_waits"].format(name="Ben", time="3 days")).wait_for()
    assert WORDS["away_play_on"] not in words_of(ann)
    assert not faults(ann)
    press(ann, "tell_me")
    assert ann.evaluate("asked") == []  # the browser has not asked yet
    press(ann, "tell_yes")
    await_asked(ann, "permission,subscribe")
    press(ann, "page_close")
    press(ann, "menu_open")
    assert ann.get_by_role("dialog").get_by_role("button", name=WORDS["menu_lend"]).count() == 0
    ann.get_by_text(WORDS["tell_title"], exact=True).click()
    ann.get_by_role("dialog").get_by_text(WORDS["tell_why"]).wait_for()


def test_a_device_is_told_once_its_reader_says_yes_at_the_hours_they_choose_and_no_longer_than_that(
    visit: Visit,
) -> None:
    page = visit(NO_PAGE)
    willing(page)
    wishes = serve_ways(page, NO_WAYS, NO_WAYS | {"ways": [HERE]})
    page.goto("/me")
    page.get_by_label(WORDS["tell_quiet_from"]).select_option("21")
    press(page, "tell_yes")
    page.get_by_text(WORDS["tell_on"]).wait_for()
    assert not faults(page)
    ((_, _, wish),) = wishes
    zone = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert wish == KEYS | {"zone": zone, "language": "en", "quiet_from": 21, "quiet_until": 8}
    page.get_by_label(WORDS["tell_quiet_until"], exact=True).select_option("9")
    press(page, "tell_stop")
    await_asked(page, "permission,subscribe,unsubscribe")
    assert [(method, path) for method, path, _ in wishes[1:]] == [("POST", "/push"), ("DELETE", "/w1")]
    assert wishes[1][2]["quiet_until"] == 9


def test_the_server_remembers_which_device_it_tells_and_takes_no_push_service_it_does_not_know(visit: Visit) -> None:
    page = visit(NO_PAGE)
    willing(page)
    page.goto("/me")
    press(page, "tell_yes")
    page.get_by_role("alert").get_by_text(WORDS["error_bad_way"]).wait_for()
    page = visit(NO_PAGE)
    willing(page, endpoint="https://fcm.googleapis.com/fcm/send/somebody")
    page.goto("/me")
    press(page, "tell_yes")
    page.get_by_text(WORDS["tell_on"]).wait_for()
    page.get_by_role("link", name="Mulligan").click()
    page.get_by_role("link", name=WORDS["start_me"]).click()
    page.get_by_text(WORDS["tell_on"]).wait_for()
    press(page, "tell_stop")
    page.get_by_role("button", name=WORDS["tell_yes"]).wait_for()


def test_a_server_with_another_key_gets_another_subscription_without_a_word(visit: Visit) -> None:
    page = visit(NO_PAGE)
    willing(page, had="olderKey")
    wishes = serve_ways(page, NO_WAYS | {"ways": [HERE]})
    page.goto("/me")
    page.get_by_text(WORDS["tell_on"]).wait_for()
    await_asked(page, "unsubscribe,subscribe")
    page.wait_for_timeout(100)
    assert [path for _, path, _ in wishes] == ["/push"]


def test_other_devices_and_channels_are_listed_and_removed_and_an_address_is_proved(visit: Visit) -> None:
    page = visit(NO_PAGE)
    mail = OTHER | {"id": "w3", "kind": "mail", "name": "ann@golf.example"}
    offered = NO_WAYS | {"channels": ["mail"], "ways": [OTHER]}
    wishes = serve_ways(page, offered, offered | {"ways": [OTHER, mail]})
    page.goto("/me")
    page.get_by_text("Safari, iPhone").wait_for()
    page.get_by_text(WORDS["tell_channel"].format(channel="mail")).click()
    page.get_by_label(WORDS["tell_address"]).fill("ann@golf.example")
    press(page, "tell_send_code")
    page.get_by_label(WORDS["tell_code"].format(address="ann@golf.example")).fill("123456")
    press(page, "tell_code_do")
    page.get_by_role("button", name=WORDS["tell_remove_of"].format(name="ann@golf.example (mail)")).click()
    page.wait_for_timeout(100)
    assert [(method, path) for method, path, _ in wishes] == [
        ("POST", "/channel"),
        ("POST", "/channel/code"),
        ("DELETE", "/w3"),
    ]
    assert wishes[1][2] == {"channel": "mail", "address": "ann@golf.example", "code": "123456"}
    assert not faults(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_over_plain_http_one_sentence_says_why_not_and_what_works(visit: Visit, home: str, language: str) -> None:
    page = visit(NO_PAGE, base=home, language=language, viewport=PHONE)
    serve_ways(page, NO_WAYS)
    page.goto("/me")
    words = messages(language)
    page.get_by_text(words["tell_plain"]).wait_for()
    page.get_by_text(words["tell_always"]).wait_for()
    assert words["tell_yes"] not in words_of(page)
    assert not faults_of_wording(page, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_iphone_shows_the_way_to_the_home_screen_when_asked(visit: Visit, language: str) -> None:
    page = visit(NO_PAGE, language=language, viewport=PHONE, user_agent=IPHONE)
    serve_ways(page, NO_WAYS)
    page.goto("/me")
    words = messages(language)
    page.get_by_text(words["tell_home_screen"]).wait_for()
    pictures = page.locator("section li svg text")
    assert pictures.count() == 0
    page.get_by_role("button", name=words["tell_how"]).click()
    pictures.get_by_text(words["tell_how_label"]).wait_for()
    assert not faults(page)
    assert not faults_of_wording(page, language)
    assert overhang(page) <= 0


def test_the_start_page_says_how_long_my_turn_may_still_take(visit: Visit) -> None:
    page = visit("/", viewport=PHONE)
    path = sit_and_start(page, {"kind": "me", "name": "Ann"}, {"kind": "computer", "player": "greedy"})
    mine = {
        "table": path[3:],
        "watch": "W",
        "game": "play_nine",
        "names": ["Ann"],
        "hole": 1,
        "length": 9,
        "started": True,
    }
    page.route(
        "**/api/me/tables",
        lambda route: route.fulfill(json=[mine | {"over": False, "turn": "Ann", "mine": True, "left": 30}]),
    )
    page.goto("/")
    page.get_by_text("Your turn · 30 hours left").wait_for()
    page.goto("/me")
    page.get_by_text("Your turn · 30 hours left").wait_for()


def told(page: Any) -> tuple[Any, Any, Any]:
    """The page's worker; what brings it a message; and what tells the notifications on show, and how many rang."""
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    (worker,) = page.context.service_workers
    worker.evaluate(SCREEN)
    browser = page.context.new_cdp_session(page)
    known: list[str] = []
    browser.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda seen: known.extend(one["registrationId"] for one in seen["registrations"]),
    )
    browser.send("ServiceWorker.enable")
    while not known:
        page.wait_for_timeout(20)
    origin = page.evaluate("location.origin")

    def push(**more: Any) -> tuple[list[Any], int]:
        message = {
            "table": "WATCH",
            "link": "LINK",
            "game": "play_nine",
            "number": 7,
            "kind": "turn",
            "title": "Your turn",
            "body": "Play Nine",
        }
        (way,) = set(known)
        before = worker.evaluate("told")
        push = {"origin": origin, "registrationId": way, "data": json.dumps(message | more)}
        browser.send("ServiceWorker.deliverPushMessage", push)
        while worker.evaluate("told") == before:
            page.wait_for_timeout(20)
        return look()

    def look() -> tuple[list[Any], int]:
        shown = worker.evaluate("[...shown.values()].map(one => [one.tag, one.data.number, one.data.kind])")
        return shown, worker.evaluate("sounds")

    return worker, push, look


def test_a_device_whose_push_service_changes_is_told_by_the_new_one_at_the_hours_it_chose(visit: Visit) -> None:
    page = visit("/", installed=True, viewport=DESK)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    (worker,) = page.context.service_workers
    worker.evaluate(f"({ANOTHER_SERVICE})({json.dumps(NEW)})")
    worker.evaluate(CHANGE)
    assert worker.evaluate("[asked, posts]") == [[], []]  # nobody there wants to be told
    wish = OLD | {"zone": "UTC", "language": "en", "quiet_from": 21, "quiet_until": 9}
    before = page.evaluate(POST, wish)
    (old,) = before["ways"]
    worker.evaluate(CHANGE)
    assert worker.evaluate("asked") == [{"userVisibleOnly": True, "applicationServerKey": before["key"]}]
    ((status, sent),) = worker.evaluate("posts")
    zone = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert (status, sent) == (200, NEW | {"zone": zone, "language": "en", "quiet_from": 21, "quiet_until": 9})
    (now,) = page.evaluate("fetch('/api/me/ways').then(answer => answer.json())")["ways"]
    assert now["id"] != old["id"]
    assert now == old | {"id": now["id"]}


def test_each_turn_is_told_once_and_a_tap_opens_its_table(visit: Visit) -> None:
    page = visit("/", installed=True, viewport=DESK)
    worker, push, look = told(page)
    assert push() == ([["WATCH", 7, "turn"]], 1)
    assert worker.evaluate("badge") == 0  # of the tables as the server knows them
    assert worker.evaluate("[...shown.values()].map(one => [one.title, one.body])") == [["Your turn", "Play Nine"]]
    assert push() == ([["WATCH", 7, "turn"]], 1)  # sent twice after a kill
    assert push(number=9) == ([["WATCH", 9, "turn"]], 2)
    assert push(number=7) == ([["WATCH", 9, "turn"]], 2)  # late
    assert push(number=9, kind="reminder") == ([["WATCH", 9, "reminder"]], 3)
    worker.evaluate(CLICK)
    assert worker.evaluate("opened") == ["/t/LINK"]
    assert look() == ([], 3)
    assert push(number=9, kind="reminder") == ([], 3)
    assert push(number=12) == ([["WATCH", 12, "turn"]], 4)
    door = ["WATCH-door", 5, "knock"]
    assert push(number=5, kind="knock") == ([["WATCH", 12, "turn"], door], 5)  # it takes the place of no turn
    assert push(number=5, kind="knock") == ([["WATCH", 12, "turn"], door], 5)
    assert push(number=13) == ([["WATCH", 13, "turn"], door], 6)


def test_at_the_table_nothing_is_told_and_what_was_told_is_gone(visit: Visit) -> None:
    page = visit("/", installed=True, viewport=DESK)
    _, push, look = told(page)
    assert push(number=3)[1] == 1
    codes = page.evaluate(OPEN)
    mine = {"table": codes["watch"], "link": codes["table"]}
    assert push(**mine, kind="knock")[0][-1] == [f"{codes['watch']}-door", 7, "knock"]
    assert push(**mine)[0][-1] == [codes["watch"], 7, "turn"]
    page.goto(f"/t/{codes['table']}")
    page.get_by_role("heading", name=WORDS["lobby_title"]).wait_for()
    page.wait_for_timeout(500)
    assert [tag for tag, *_ in look()[0]] == ["WATCH"]
    assert push(**mine, number=8) == look()
    assert [tag for tag, *_ in look()[0]] == ["WATCH"]


def ann_moved(visit: Visit) -> tuple[Any, Any]:
    """The same; both have had a turn, and hers was the last."""
    ann, ben = ben_gone(visit)
    play_until_lit(ben, ann)
    play_until_lit(ann, ben)
    return ann, ben


def test_who_comes_back_on_their_turn_sees_what_the_others_did_and_skips_it(visit: Visit) -> None:
    ann, ben = ann_moved(visit)
    ben.goto(NO_PAGE)
    ben.goto(ann.url)
    press(ben, "away_show")
    window = ben.get_by_role("dialog", name=WORDS["away_look_title"])
    forward = window.get_by_role("button", name=WORDS["away_look_next"])
    forward.click()
    window.locator(".sentence", has_text="Ann").wait_for()
    assert not faults(ben)
    while forward.count():
        forward.click()
    window.get_by_role("button", name=WORDS["page_close"]).last.click()
    assert ben.get_by_role("button", name=WORDS["away_show"]).count() == 0
    ben.reload()
    ben.get_by_role("button", name=WORDS["away_show"]).wait_for()
    play_until_lit(ben, ann)
    ben.get_by_role("button", name=WORDS["away_show"]).wait_for(state="detached")
    press(ann, "menu_open")
    ann.get_by_role("dialog").get_by_role("button", name=WORDS["away_show"]).click()
    window = ann.get_by_role("dialog", name=WORDS["away_look_title"])
    window.wait_for()
    while not window.locator(".sentence", has_text="Ben").count():  # her own last move may come first
        window.get_by_role("button", name=WORDS["away_look_next"]).click()


def test_what_happened_plays_by_itself_until_the_reader_takes_the_steps(visit: Visit) -> None:
    ann, ben = ann_moved(visit)
    ben.evaluate("localStorage.setItem('mulligan.settings', '{}')")  # as fast as usual
    page = ben.context.new_page()
    page.emulate_media(reduced_motion="no-preference")
    page.goto(ann.url)
    press(page, "away_show")
    window = page.get_by_role("dialog", name=WORDS["away_look_title"])
    window.get_by_role("button", name=WORDS["table_rp_pause"]).wait_for()
    window.get_by_role("button", name=WORDS["page_close"]).nth(1).wait_for()  # in place of the button for the next step
    window.get_by_role("button", name=WORDS["away_look_back"]).click()
    page.wait_for_timeout(2_000)
    assert window.get_by_role("button", name=WORDS["away_look_next"]).count() == 1


def test_a_friend_asks_to_join_and_the_host_answers_when_nobody_waits_any_more(visit: Visit) -> None:
    ann = visit(NO_PAGE, viewport=PHONE)
    path = f"/t/{open_table(ann, ME, COMPUTER, tempo='day')['table']}"
    eve = visit(path, viewport=PHONE)
    eve.get_by_label(WORDS["start_name"]).fill("Eve")
    press(eve, "knock_ask")
    eve.get_by_text(WORDS["knock_waiting_turns"]).wait_for()
    eve.get_by_role("button", name=WORDS["knock_tell"]).wait_for()
    assert not faults(eve)
    eve.reload()
    press(eve, "knock_back")
    eve.get_by_text(WORDS["knock_waiting_turns"]).wait_for(state="detached")
    press(eve, "knock_ask")
    eve.get_by_text(WORDS["knock_waiting_turns"]).wait_for()
    eve.goto(NO_PAGE)
    ann.goto("/me")
    ann.get_by_text(WORDS["me_knock"]).wait_for()
    assert not faults(ann)
    ann.goto(path)
    ann.get_by_text(WORDS["knock_asks"].format(name="Eve")).wait_for()
    press(ann, "knock_yes")
    ann.get_by_text(WORDS["knock_asks"].format(name="Eve")).wait_for(state="detached")
    ann.goto(NO_PAGE)
    eve.goto(path)
    eve.get_by_text(WORDS["turns_lobby"].format(owner="Ann")).wait_for()
