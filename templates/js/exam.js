// The exam on screen. State is one plain object; every change saves it, every view is drawn from it.
(function () {
  const root = document.documentElement;
  const find = (id) => document.getElementById(id);
  const about = root.dataset;
  const items = Array.from(document.querySelectorAll("article.item"));
  const key = ["quizgen", about.edition, about.form, about.number || "", about.name || ""].join("/");
  const store = openStore(key);
  const tab = Math.random().toString(36).slice(2);
  const WARN = [600, 300, 60];
  const READ = 65536; // characters of a text that are scored
  const LATE = say("The time is up. You may go on; what you change from now on is marked as late.");
  const title = document.title;
  let state = null;
  let cleared = 0; // time at which an earlier sitting of this form was cleared from this device
  let shownAt = 0; // performance.now() when the current item appeared; 0: no item is shown
  let said = new Set();
  let windows = false; // whether another window of this sitting was detected
  let openAt = 0; // performance.now() when the time for which the page is open was last counted

  // -- time ---------------------------------------------------------------------------------
  const now = startClock((seconds) => {
    if (state && state.started && !state.finished) note("clock", seconds);
  });
  const left = () => (state.deadline ? (state.deadline - now()) / 1000 : Infinity);
  const late = () => state.deadline !== null && left() < 0;
  const locked = () => Boolean(state.finished) || (about.limit === "hard" && late());
  function note(event, seconds) {
    if (state.events.length < 500) state.events.push({ at: iso(now()), event, seconds: tenth(seconds || 0) });
  }

  // -- responses ----------------------------------------------------------------------------
  function answerOf(item) {
    const ref = item.dataset.ref;
    if (!state.responses[ref]) state.responses[ref] = blankAnswer(item);
    return state.responses[ref];
  }
  // Shows how a number reads, so that nobody hands in an unreadable one; it depends neither on a key nor on the asked unit.
  const echoSettings = find("echo-settings") ? JSON.parse(find("echo-settings").textContent) : null;
  const echoFormats = new Map(); // by item; made before the line is in the stem
  function echo(item) {
    const typed = item.classList.contains("ask-text") ? inputs(item)[0].value.length : 0;
    if (typed > READ) alertText(say("Only the first {0} characters are scored; this response has {1}.", READ, typed));
    if (!item.classList.contains("ask-number") || item.querySelector(".answer .unit[data-words]")) return;
    const field = inputs(item)[0];
    if (!echoFormats.has(item)) echoFormats.set(item, echoFormat(echoSettings, item.querySelector(".stem").textContent));
    let line = item.querySelector(".echo");
    if (!line) {
      line = document.createElement("p");
      line.className = "echo";
      line.setAttribute("role", "status");
      field.closest(".answer").after(line);
    }
    const read = field.value.trim() ? echoOf(field.value, echoFormats.get(item)) : null;
    if (!field.value.trim()) line.textContent = "";
    else if (!(read && read.shown) && /[\w)%] ?(?:[+*/^×·]| - ) ?[\d(]/.test(field.value)) line.textContent = say("Kept as a calculation, which is worked out when it is scored.");
    else if (!read) line.textContent = say("Cannot be read for certain: write it like 12.5 GB.");
    else if (!read.shown) line.textContent = say("Read as the number {0}; this page does not know the unit '{1}'.", read.number, read.unit);
    else line.textContent = say("Read as {0}", read.shown);
  }
  function changed(item, field) {
    echo(item);
    if (locked()) {
      writeResponse(item, answerOf(item).response);
      return;
    }
    const answer = answerOf(item);
    if (field === working(item)) { // working beside the response: never late, never scored
      answer.working = field.value;
      answer.touched = now();
      save();
      return;
    }
    if (late() && !answer.late) answer.at_deadline = answer.response;
    answer.response = readResponse(item);
    answer.touched = now();
    answer.at = iso(answer.touched);
    answer.changes += 1;
    answer.late = late();
    if (answer.late) state.lateSeconds = tenth(-left());
    save();
    redraw();
  }
  function spend() {
    if (!shownAt || state.at === null) return;
    const answer = answerOf(items[state.at]);
    answer.seconds += (performance.now() - shownAt) / 1000;
    shownAt = performance.now();
  }

  // -- saving -------------------------------------------------------------------------------
  function save() {
    spend();
    state.seen = now();
    state.ahead = now.ahead();
    state.open += performance.now() - openAt;
    openAt = performance.now();
    state.revision += 1;
    state.tab = tab;
    try {
      sessionStorage.setItem(key, tab);
    } catch (error) {
      // a browser that stores nothing asks a returning candidate
    }
    const merged = (kept, text) => (kept && kept.tab !== tab && adopt(kept).newer ? JSON.stringify(state) : text);
    store.save(state, (safe) => {
      const time = new Date().toTimeString().slice(0, 8);
      find("saved").textContent = safe ? say("Saved {0}", time) : say("Not saved");
      if (!safe) alertText(say("This browser does not keep your answers. Download a copy often."));
    }, merged);
  }
  // Data of another window of this sitting: the newest answer to each item counts, from whatever window.
  // Returns whether any of it is newer, and whether anything here is.
  function adopt(other) {
    if (!state || !sound(other) || other.started !== state.started) return { newer: false, ahead: false };
    const touched = (answer) => (answer ? answer.touched || 1 : 0);
    const [newer, ahead] = [[], []];
    for (const item of items) {
      const [ours, theirs] = [state, other].map((one) => one.responses[item.dataset.ref]);
      if (touched(theirs) > touched(ours)) newer.push(item);
      else if (touched(theirs) < touched(ours)) ahead.push(item);
    }
    newer.forEach((item) => {
      const theirs = other.responses[item.dataset.ref];
      state.responses[item.dataset.ref] = { ...theirs, seconds: Math.max(theirs.seconds, answerOf(item).seconds) };
      fill(item);
    });
    const known = new Set(state.events.map((one) => one.at + one.event));
    state.events.push(...other.events.filter((one) => !known.has(one.at + one.event)));
    state.events.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    state.revision = Math.max(state.revision, other.revision);
    state.lateSeconds = Math.max(state.lateSeconds, other.lateSeconds || 0);
    if (newer.length) redraw();
    if (other.finished && !state.finished) {
      state.finished = other.finished;
      lock();
      showEnd();
    }
    return { newer: newer.length > 0, ahead: ahead.length > 0 };
  }
  function download() {
    spend();
    const file = answersFile(about, items, state, now());
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1) + "\n"], { type: "application/json" }));
    link.download = answersName(about, state);
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    find("clear").disabled = false;
    announce(say("Answers file downloaded."));
  }

  // -- views --------------------------------------------------------------------------------
  function announce(text) {
    find("announce").textContent = text;
  }
  function alertText(text) {
    if (find("alert").textContent !== text) find("alert").textContent = text;
  }
  function show(view, element, focus) {
    root.dataset.view = view;
    for (const old of document.querySelectorAll(".current")) old.classList.remove("current");
    element.classList.add("current");
    const part = element.closest(".part");
    if (part) part.classList.add("current");
    document.title = (view === "start" ? "" : element.querySelector("h1, h2, h3").textContent + " – ") + title;
    if (focus) {
      window.scrollTo(0, 0);
      element.querySelector("h1, h2, h3").focus({ preventScroll: true });
    }
    redraw();
  }
  const go = (index) => showItem(index, true);
  function redraw() {
    const current = state && root.dataset.view === "item" ? state.at : -1;
    drawNavigator(find("navigator"), items, state ? state.responses : {}, current, go);
  }
  function showItem(index, focus) {
    spend();
    state.at = index;
    shownAt = document.hidden ? 0 : performance.now();
    const answer = answerOf(items[index]);
    find("previous").disabled = index === 0;
    find("next").lastChild.textContent = "";
    find("next").firstChild.textContent = index === items.length - 1 ? say("Review") : say("Next");
    find("next").lastChild.textContent = index === items.length - 1 ? say(" and finish") : say(" item");
    find("flag").setAttribute("aria-pressed", String(answer.flagged));
    show("item", items[index], focus);
    save();
  }
  function showReview() {
    spend();
    shownAt = 0;
    drawReview(find("review-list"), find("review-summary"), items, state.responses, go);
    show("review", document.querySelector('[data-view="review"].view'), true);
    save();
  }
  function showEnd() {
    shownAt = 0;
    find("clock").textContent = "";
    announce("");
    if (about.limit !== "hard" || !late()) alertText("");
    const count = items.filter((i) => isGiven(state.responses[i.dataset.ref])).length;
    find("end-summary").textContent = say("{0} of {1} items answered. The file is named {2}.", count, items.length, answersName(about, state));
    find("receipt").textContent = receiptOf(about, items, state);
    show("end", document.querySelector('[data-view="end"].view'), true);
  }
  function lock() {
    for (const item of items) {
      for (const input of [...inputs(item), working(item)]) if (input) input.disabled = true;
    }
  }
  function finish() {
    spend();
    state.finished = now();
    note("finish");
    lock();
    save();
    showEnd();
  }
  // -- the clock ----------------------------------------------------------------------------
  function tick() {
    if (!state || !state.started || state.finished) return;
    if (now() - state.seen > 5000) save();
    const clock = find("clock");
    const seconds = left();
    clock.textContent = seconds === Infinity ? say("no limit") : clockText(seconds);
    clock.classList.toggle("late", seconds < 0);
    if (seconds === Infinity) return;
    const half = (state.minutes * 60) / 2;
    const due = [half, ...WARN].filter((mark) => mark <= half && seconds <= mark && !said.has(mark));
    if (due.length && seconds > 0) {
      due.forEach((mark) => said.add(mark));
      announce(say("{0} left.", spoken(seconds)));
      if (about.limit === "hard" && due.includes(60)) alertText(say("One minute left. Then responses are locked."));
    }
    if (seconds <= 0 && !state.timeUp) {
      state.timeUp = true;
      note("time-up");
      if (about.limit === "hard") {
        alertText(say("The time is up. Your responses are locked; download your answers file."));
        finish();
        return;
      }
      alertText(LATE);
      save();
    }
  }

  // -- starting -----------------------------------------------------------------------------
  function begin(event) {
    event.preventDefault();
    const nameless = about.edition === "exam" && !find("who-name").value.trim() && !find("who-id").value.trim();
    find("who-missing").textContent = nameless ? say("Write your name or your candidate ID: your examiner needs one to know whose answers these are.") : "";
    if (nameless) {
      find("who-name").focus();
      return;
    }
    const extra = about.number ? about.extra : (find("who-extra") || { value: "" }).value;
    const usual = Number(about.minutes.split("/").reduce((whole, part) => whole / part)); // 12.5, or 100/3
    const factor = about.number || !extra.endsWith("%") ? 1 : 1 + parseFloat(extra) / 100;
    const minutes = extra === "untimed" ? null : factor === 1 ? usual : Math.ceil(usual * factor);
    const start = now();
    state = {
      v: 1, started: start, deadline: minutes === null ? null : start + minutes * 60000, minutes, extra, finished: null,
      name: find("who-name").value.trim(), candidate: find("who-id").value.trim(), revision: 0, at: null,
      lateSeconds: 0, timeUp: false, responses: {}, events: [], seen: start, open: 0,
    };
    note("start");
    if (cleared) note("cleared", (start - cleared) / 1000);
    said = new Set();
    openAt = performance.now();
    open();
    showItem(0, true);
  }
  function open() {
    items.forEach(fill);
    if (locked()) lock();
    setInterval(tick, 250);
    tick();
  }
  function fill(item) {
    const answer = state.responses[item.dataset.ref];
    if (!answer) return;
    writeResponse(item, answer.response);
    echo(item);
    if (working(item)) working(item).value = answer.working || "";
  }
  function restore(old) {
    state = old;
    state.open = old.open || 0;
    openAt = performance.now();
    const [seen, ahead] = [old.seen || old.started, old.ahead || 0];
    const gap = old.finished ? 0 : Math.max(0, (Date.now() + ahead - seen) / 1000);
    if (!old.finished) now.resume(seen, ahead);
    const seconds = left();
    [(state.minutes || 0) * 30, ...WARN].forEach((mark) => { if (seconds <= mark) said.add(mark); });
    open();
    if (state.finished) {
      showEnd();
      return;
    }
    note("restore", gap);
    if (state.timeUp) alertText(LATE);
    showItem(state.at === null ? 0 : state.at, true);
    const time = seconds === Infinity ? "" : seconds > 0 ? say("{0} left.", spoken(seconds)) : say("The time is up.");
    announce(say("Your answers are back. {0}", time));
  }
  // Whether a saved state belongs to this page; if not, that is reported and the state stays until an exam begins.
  function sound(old) {
    const a = { string: (v) => typeof v === "string", number: Number.isFinite, list: Array.isArray };
    return old.v === 1 && a.number(old.started) && a.number(old.revision) && a.list(old.events) && a.string(old.name)
      && a.string(old.candidate) && (old.at === null || (a.number(old.at) && old.at in items))
      && (old.deadline === null || a.number(old.deadline)) && old.responses !== null && typeof old.responses === "object"
      && Object.values(old.responses).every((one) => one && a.number(one.seconds) && a.number(one.changes)
        && (a.string(one.response) || (a.list(one.response) && one.response.every(a.string))));
  }
  // On a shared device only the same tab continues by itself; otherwise the person confirms their name.
  function sameTab() {
    try {
      return sessionStorage.getItem(key) !== null;
    } catch (error) {
      return false;
    }
  }
  function ask(old) {
    const who = [old.name, old.candidate].filter((part) => part).join(", ") || say("somebody who gave no name");
    find("unfinished-who").textContent = say("{0} began this form on this device at {1} and has not finished it.", who, new Date(old.started).toLocaleString());
    find("unfinished").hidden = false;
    find("start").hidden = true;
    find("go-on").addEventListener("click", () => restore(old));
    find("anew").addEventListener("click", () => {
      state = old;
      download();
      state = null;
      cleared = old.seen || old.started;
      find("unfinished").hidden = true;
      find("start").hidden = false;
      find("who-name").focus();
    });
  }
  function step(by) {
    if (state.at + by >= items.length) showReview();
    else if (state.at + by >= 0) showItem(state.at + by, true);
  }
  function flag() {
    const answer = answerOf(items[state.at]);
    answer.flagged = !answer.flagged;
    answer.touched = now();
    find("flag").setAttribute("aria-pressed", String(answer.flagged));
    announce(answer.flagged ? say("Flagged.") : say("Flag removed."));
    redraw();
    save();
  }
  const keys = { KeyN: () => step(1), KeyP: () => step(-1), KeyF: flag, KeyR: showReview };

  items.forEach((item) => item.addEventListener("input", (event) => state && changed(item, event.target)));
  find("start").addEventListener("submit", begin);
  find("previous").addEventListener("click", () => step(-1));
  find("next").addEventListener("click", () => step(1));
  find("flag").addEventListener("click", flag);
  find("review").addEventListener("click", showReview);
  find("back").addEventListener("click", () => go(state.at || 0));
  find("finish").addEventListener("click", finish);
  find("copy").addEventListener("click", download);
  find("download").addEventListener("click", download);
  find("clear").addEventListener("click", () => {
    if (!confirm(say("Clear the answers from this device? Make sure that your examiner has the answers file. That this form was taken here stays on record."))) return;
    store.save({ v: 1, cleared: now(), revision: state.revision + 1 }, () => setTimeout(() => location.reload(), 50));
  });
  if (find("formulas-toggle")) {
    find("formulas-toggle").addEventListener("click", (event) => {
      const open = document.querySelector(".formulas").classList.toggle("open");
      event.target.setAttribute("aria-expanded", String(open));
    });
  }
  find("clock-toggle").addEventListener("click", (event) => {
    const hidden = find("clock").classList.toggle("hidden");
    event.target.setAttribute("aria-pressed", String(hidden));
  });
  document.addEventListener("keydown", (event) => {
    const act = event.altKey && !event.ctrlKey && !event.metaKey && keys[event.code];
    if (!act || !state || state.finished || root.dataset.view !== "item") return;
    event.preventDefault();
    act();
  });
  document.addEventListener("visibilitychange", () => {
    if (!state || state.finished) return;
    if (document.hidden) {
      spend();
      state.awaySince = now();
      shownAt = 0;
    } else {
      if (state.awaySince) note("away", (now() - state.awaySince) / 1000);
      state.awaySince = null;
      if (root.dataset.view === "item") shownAt = performance.now();
    }
    save();
  });
  window.addEventListener("storage", (event) => {
    const other = event.key === key && state && event.newValue ? JSON.parse(event.newValue) : null;
    if (!other || other.tab === tab) return;
    if (other.cleared) {
      state = null;
      location.reload();
      return;
    }
    const { ahead } = adopt(other);
    if (state.finished) return;
    alertText(say("This exam is open in another window too. Close one of them; the newest answer to each item counts."));
    if (!windows) note("window");
    if (ahead || !windows) save();
    windows = true;
  });
  window.addEventListener("pagehide", () => {
    if (state && !state.finished) save();
  });
  window.addEventListener("beforeunload", (event) => {
    if (store.pending()) event.preventDefault();
  });

  const lacking = missingGlyphs(find("main").textContent);
  if (lacking.length) {
    find("glyphs").hidden = false;
    find("glyphs").textContent = say("This device has no font for {0} ({1}): they cannot be read here or on a print from here. Tell your examiner.", lacking.slice(0, 20).join(" "), lacking.slice(0, 20).map((c) => "U+" + c.codePointAt(0).toString(16).toUpperCase()).join(", "));
  }
  root.classList.add("live");
  show("start", document.querySelector('[data-view="start"]'), false);
  store.load().then((old) => {
    if (!state && old && old.cleared) cleared = old.cleared;
    else if (!state && old && !sound(old)) alertText(say("Answers to this form were saved on this device and cannot be read. Tell your examiner before you start: starting replaces them."));
    else if (!state && old) (old.finished || about.number || sameTab() ? restore : ask)(old);
    root.dataset.ready = "true";
  });
})();
