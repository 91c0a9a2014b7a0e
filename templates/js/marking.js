// Marking: one answer at a time, item after item; every key press is saved. Marks are stored by candidate key and item.
(async function () {
  const work = await openWork("quizgen/marking/" + data.page, { revision: 0, marker: "", item: 0, at: {}, marks: {} }, "marks", () => draw());
  const state = work.state;
  const idOf = (answer) => answer.key + "/" + answer.ref;
  let others = {}; // another marker's entries, for comparison
  let openedBy = null; // element that had the focus before a field was opened

  const item = () => data.items[state.item];
  const answer = () => item().answers[state.at[item().id] || 0];
  const blank = () => ({ ticks: item().criteria.map(() => false), points: null, comment: "", refer: false, at: null });
  const mark = () => state.marks[idOf(answer())] || blank();
  const change = (fields) => {
    work.change(() => (state.marks[idOf(answer())] = { ...mark(), ...fields }));
    draw();
  };
  const summed = (of, entry) => {
    const points = of.criteria.reduce((sum, criterion, i) => sum + (entry.ticks[i] ? criterion.points : 0), 0);
    return Math.round(Math.min(points, of.possible) * 1e6) / 1e6;
  };
  const pointsOf = (of, entry) => (entry.refer ? null : entry.points === null ? summed(of, entry) : entry.points);
  const isDone = (one) => Boolean((state.marks[idOf(one)] || {}).at);

  // -- the answer with the words that met criteria --------------------------------------------
  function shownAnswer(one) {
    if (one.image) return picture(one.image, "Scan of the answer");
    const letters = Array.from(one.text);
    const cuts = new Set([0, letters.length]);
    const spans = one.found.flatMap((f) => f.spans.map(([from, to]) => ({ from, to, n: f.n, status: f.status })));
    spans.forEach((s) => cuts.add(s.from).add(s.to));
    const places = Array.from(cuts).sort((a, b) => a - b);
    const box = make("div", { class: "given", dir: "auto" });
    places.slice(0, -1).forEach((from, i) => {
      const text = letters.slice(from, places[i + 1]).join("");
      const here = spans.filter((s) => s.from <= from && s.to >= places[i + 1]);
      if (!here.length) return box.append(text);
      const ends = here.filter((s) => s.to === places[i + 1]);
      const told = ends.map((s) => s.n + (s.status === "found" ? "" : " " + s.status)).join(", ");
      box.append(make("mark", {}, text), told ? make("sup", {}, told) : "");
    });
    return box;
  }

  // -- drawing ----------------------------------------------------------------------------------
  function draw() {
    const of = item();
    const one = answer();
    const entry = mark();
    const done = of.answers.filter(isDone).length;
    find("progress").textContent = `Item ${state.item + 1} of ${data.items.length}: ${done} of ${of.answers.length} marked`;
    find("items").replaceChildren(...data.items.map((i, n) =>
      make("button", { type: "button", "aria-current": n === state.item ? "true" : null, onclick: () => goItem(n) },
        `${n + 1}. ${i.id} ${i.answers.filter(isDone).length}/${i.answers.length}`)));
    find("doubts").textContent = one.doubts.length ? "Look twice: " + one.doubts.join("; ") : "";
    find("criteria-title").textContent = of.shares.length ? "The number is" : "Criteria";
    const isPressed = (n) => (of.shares.length ? entry.points === of.shares[n].points : entry.ticks[n]);
    find("criteria").replaceChildren(...[...of.criteria, ...of.shares].map((row, n) =>
      make("li", {}, make("button", { type: "button", "aria-pressed": String(isPressed(n)), onclick: () => tick(n) },
        `${n + 1}. `, make("span", {}, row.say), ` (${row.points})`))));
    if (document.activeElement !== find("points")) find("points").value = entry.refer || (of.shares.length && entry.points === null) ? "" : String(pointsOf(of, entry));
    if (document.activeElement !== find("comment")) find("comment").value = entry.comment;
    find("possible").textContent = of.possible;
    find("refer").setAttribute("aria-pressed", String(entry.refer));
    find("state").textContent = entry.at ? (entry.refer ? "Referred to another person" : "Marked") : "Open";
    const other = others[idOf(one)];
    find("other").textContent = other ? "The other marker: " + told(of, other) : "";
  }
  const told = (of, e) => (e.points === null ? "referred" : `${e.points} points, ticks ${e.ticks.map((t, n) => (t ? n + 1 : "")).filter(Boolean).join(", ") || "none"}`) + (e.comment ? ", “" + e.comment + "”" : "");
  function show() {
    const of = item();
    const one = answer();
    const clone = (id) => (document.getElementById(id) ? document.getElementById(id).content.cloneNode(true) : "");
    find("heading").textContent = `Item ${state.item + 1}, answer ${(state.at[of.id] || 0) + 1} of ${of.answers.length} · ${one.key}`;
    find("stem").replaceChildren(clone("stem-" + one.ref));
    find("scheme").replaceChildren(clone("scheme-" + one.ref));
    find("key").open = of.shares.length > 0 || find("key").open;
    find("answer").replaceChildren(shownAnswer(one));
    draw();
    find("heading").focus({ preventScroll: true });
  }

  // -- moving and marking -----------------------------------------------------------------------
  function tick(n) {
    const shares = item().shares;
    if (n < shares.length) return change({ points: shares[n].points, refer: false, at: null });
    work.follow();
    const ticks = mark().ticks.slice();
    if (n >= ticks.length) return;
    ticks[n] = !ticks[n];
    change({ ticks, points: null, refer: false, at: null });
  }
  function go(at) {
    work.change(() => (state.at[item().id] = Math.max(0, Math.min(item().answers.length - 1, at))));
    show();
  }
  function goItem(n) {
    if (n < 0 || n >= data.items.length) return;
    state.item = n;
    go(state.at[item().id] || 0);
  }
  function onward() {
    const here = state.at[item().id] || 0;
    const count = item().answers.length;
    for (let i = 1; i <= count; i += 1) if (!isDone(item().answers[(here + i) % count])) return go((here + i) % count);
    for (let n = 1; n < data.items.length; n += 1) {
      const next = (state.item + n) % data.items.length;
      const at = data.items[next].answers.findIndex((one) => !isDone(one));
      if (at >= 0) {
        state.item = next;
        return go(at);
      }
    }
    draw();
    find("told").textContent = "Everything is marked: export the marks.";
  }
  function accept() {
    work.follow();
    if (item().shares.length && mark().points === null && !mark().refer) {
      find("told").textContent = "Say first what the number is: 1, 2 or 3.";
      return;
    }
    const points = pointsOf(item(), mark());
    if (points !== null && !(points >= 0 && points <= item().possible)) {
      find("told").textContent = `Points go from 0 to ${item().possible}.`;
      return;
    }
    find("told").textContent = "";
    change({ at: new Date().toISOString() });
    onward();
  }
  const refer = () => change({ refer: !mark().refer, at: null });
  function edit(id) {
    openedBy = find("heading");
    find(id).focus();
    if (find(id).select) find(id).select();
  }

  // -- export and agreement -----------------------------------------------------------------------
  function entries() {
    const all = [];
    for (const of of data.items)
      for (const one of of.answers) {
        const e = state.marks[idOf(one)];
        if (e && e.at) all.push({ candidate: one.key, ref: one.ref, ticks: e.refer ? [] : e.ticks, points: pointsOf(of, e), possible: of.possible, comment: e.comment, at: e.at, refer: e.refer });
      }
    return all;
  }
  function exported() {
    work.follow();
    if (!state.marker.trim()) {
      find("told").textContent = "Write your initials first: marks say who gave them.";
      find("marker").focus();
      return;
    }
    const file = { v: 1, type: "marking", exam: data.exam, digest: data.digest, page: data.page, marker: state.marker.trim(), saved: new Date().toISOString(), entries: entries() };
    file.checksum = "sha256:" + sha256(canonical(file));
    download(file, `marks-${data.exam}-${state.marker.trim().replace(/[^\p{L}\p{N}-]+/gu, "-")}.json`);
    find("told").textContent = `${file.entries.length} mark${file.entries.length === 1 ? "" : "s"} exported.`;
  }
  // Cohen's kappa with quadratic weights: 1 - mean (a-b)² / its mean over all pairs of a's and b's. For ticks,
  // which are 0 or 1, it is the plain kappa. null: both always gave the same mark.
  const sums = ([a, b]) => [1, a, b, a * a + b * b, (a - b) ** 2];
  function kappaOf([n, a, b, squares, apart]) {
    const chance = squares / n - (2 * a * b) / (n * n);
    return chance > 1e-12 ? 1 - apart / n / chance : null;
  }
  // Kappa and its 95 % interval by the jackknife: kappa recomputed without each answer in turn.
  function kappa(pairs) {
    const all = pairs.map(sums).reduce((x, y) => x.map((v, i) => v + y[i]), [0, 0, 0, 0, 0]);
    const without = pairs.map((pair) => kappaOf(all.map((v, i) => v - sums(pair)[i])));
    const k = kappaOf(all);
    if (k === null || pairs.length < 3 || without.includes(null)) return [k, null];
    const mean = without.reduce((sum, v) => sum + v, 0) / pairs.length;
    const error = Math.sqrt(((pairs.length - 1) / pairs.length) * without.reduce((sum, v) => sum + (v - mean) ** 2, 0));
    return [k, [Math.max(-1, k - 1.96 * error), Math.min(1, k + 1.96 * error)]];
  }
  function agreement() {
    const rows = [];
    const apart = [];
    data.items.forEach((of, itemAt) => {
      const both = [];
      of.answers.forEach((one, at) => {
        const [mine, theirs] = [state.marks[idOf(one)], others[idOf(one)]];
        if (!mine || !mine.at || mine.refer || !theirs || theirs.points === null) return;
        both.push([mine, theirs]);
        if (pointsOf(of, mine) !== theirs.points || mine.ticks.some((t, n) => t !== theirs.ticks[n])) apart.push({ itemAt, at, of, one });
      });
      if (!both.length) return;
      const row = (name, pairs) => {
        const same = pairs.filter(([a, b]) => a === b).length / pairs.length;
        const gap = pairs.reduce((sum, [a, b]) => sum + a - b, 0) / pairs.length;
        const [k, ends] = kappa(pairs);
        rows.push([of.id, name, pairs.length + (pairs.length < 30 ? " (few)" : ""), Math.round(same * 100) + " %", gap.toFixed(2), k === null ? "–" : k.toFixed(3), ends ? ends.map((v) => v.toFixed(2)).join(" to ") : "–"]);
      };
      of.criteria.forEach((c, n) => row(`${n + 1} ${c.say}`, both.map(([a, b]) => [Number(a.ticks[n]), Number(b.ticks[n])])));
      row("points", both.map(([a, b]) => [pointsOf(of, a), b.points]));
    });
    const head = ["Item", "Criterion", "Answers", "Same", "Mean difference", "Weighted kappa", "its 95 % interval"];
    const table = make("table", { class: "grid" }, make("thead", {}, make("tr", {}, ...head.map((t) => make("th", { scope: "col" }, t)))),
      make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((t) => make("td", {}, t))))));
    const list = make("p", { class: "letters" }, ...apart.map((a) =>
      make("button", { type: "button", onclick: () => { state.item = a.itemAt; go(a.at); } }, `${a.of.id} · ${a.one.key}`)));
    find("agreement").replaceChildren(...(rows.length
      ? [make("h2", {}, "Agreement"), table, make("p", { class: "small" }, "Kappa falls where almost everybody earns a criterion, or nobody: read it with the share that is the same."), make("h3", {}, apart.length + " answers are marked differently"), list]
      : [make("p", {}, "No answer is marked by both.")]));
  }
  async function compare(file) {
    let found = null;
    try {
      found = JSON.parse(await file.text());
    } catch (error) {
      found = null;
    }
    const { checksum, ...body } = found || {};
    if (!found || found.type !== "marking" || found.exam !== data.exam || found.digest !== data.digest || checksum !== "sha256:" + sha256(canonical(body))) {
      find("told").textContent = "Not marks of this exam, or damaged: ask for the file again.";
      return;
    }
    if (found.marker === state.marker.trim()) find("told").textContent = "These marks have your own initials: is it your own file?";
    else find("told").textContent = `Compared with ${found.marker}.`;
    others = Object.fromEntries(found.entries.map((e) => [e.candidate + "/" + e.ref, e]));
    agreement();
    draw();
  }

  find("marker").value = state.marker;
  find("marker").addEventListener("input", () => work.change(() => (state.marker = find("marker").value)));
  find("points").addEventListener("input", () => change({ points: find("points").value === "" ? null : Number(find("points").value), refer: false, at: null }));
  find("comment").addEventListener("input", () => change({ comment: find("comment").value, at: null }));
  find("previous").addEventListener("click", () => go((state.at[item().id] || 0) - 1));
  find("skip").addEventListener("click", onward);
  find("refer").addEventListener("click", refer);
  find("next").addEventListener("click", accept);
  find("export").addEventListener("click", exported);
  find("compare").addEventListener("change", (event) => event.target.files[0] && compare(event.target.files[0]));
  const keys = {
    Enter: accept, Backspace: () => go((state.at[item().id] || 0) - 1), s: onward, f: refer, c: () => edit("comment"), p: () => edit("points"),
    n: () => goItem(state.item + 1), b: () => goItem(state.item - 1), e: exported, 0: () => change({ ticks: item().criteria.map(() => false), points: null, refer: false, at: null }),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target.closest("input, textarea");
    if (field) {
      if (event.key === "Escape" || (event.key === "Enter" && !event.shiftKey && field.type !== "file")) {
        event.preventDefault();
        (openedBy || find("heading")).focus();
      }
      return;
    }
    if ((event.key === "Enter" || event.key === " ") && event.target.closest("button, summary")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (/^[1-9]$/.test(key)) tick(Number(key) - 1);
    else if (keys[key]) keys[key]();
    else return;
    event.preventDefault();
  });
  show();
  if (!state.marker) find("marker").focus();
  document.documentElement.dataset.ready = "true";
})();
