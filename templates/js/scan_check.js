// Doubtful rows of scanned sheets, one after the other, each decided by a key.
(async function () {
  const work = await openWork("quizgen/scan/" + data.page, { revision: 0, decisions: {} }, "decisions", () => cards.forEach((_, n) => draw(n)));
  const state = work.state;
  const shown = {}; // text of a row before it is decided
  let at = 0;

  const value = (row) => (row.key in state.decisions ? state.decisions[row.key] : shown[row.key] ?? row.read);
  const isShown = (row) => value(row) !== null; // null: nothing can be proposed
  const cards = data.open.map((row, index) => {
    const page = row.key.replace(/:id$/, "").replace("#", ", page ");
    const name = row.kind === "id" ? "ID, " + page : row.candidate + ", item " + row.item;
    const card = make("section", { class: "row", "aria-label": name, tabindex: "-1" });
    card.append(make("h3", {}, name), make("p", { class: "why" }, row.why));
    row.images.forEach((one) => card.append(picture(one, "Scan of " + name)));
    if (row.kind === "choice") {
      const letters = make("p", { class: "letters" });
      for (const letter of row.letters) letters.append(make("button", { type: "button", onclick: () => toggle(row, letter) }, letter));
      letters.append(make("button", { type: "button", onclick: () => set(row, "") }, "nothing"));
      card.append(letters, make("button", { type: "button", class: "accept", onclick: () => decide(index) }, "Decide as shown"));
    } else {
      const input = make("input", { type: "text", id: "v" + index, autocomplete: "off", spellcheck: "false" });
      input.addEventListener("input", () => set(row, input.value));
      const nobody = row.kind === "id" ? "nobody's: nothing of it counts" : "nothing is written";
      const blank = make("button", { type: "button", onclick: () => decide(index, "") }, nobody);
      card.append(make("label", { for: "v" + index }, row.kind === "id" ? "ID " : "Number "), input, " ", blank);
    }
    card.append(make("p", { class: "decided" }));
    card.addEventListener("focusin", () => (at = index));
    return card;
  });

  function draw(index) {
    const row = data.open[index];
    const card = cards[index];
    const done = row.key in state.decisions;
    card.classList.toggle("done", done);
    card.querySelector(".decided").textContent = done ? "Decided: " + (state.decisions[row.key] || "nothing") : isShown(row) ? "Open" : "Open: choose what is meant";
    for (const button of card.querySelectorAll(".letters button")) {
      const on = button.textContent === "nothing" ? value(row) === "" : (value(row) || "").includes(button.textContent);
      button.setAttribute("aria-pressed", String(on));
    }
    const input = card.querySelector("input");
    if (input && document.activeElement !== input) input.value = value(row);
    const left = data.open.filter((one) => !(one.key in state.decisions)).length;
    find("progress").textContent = left + " of " + data.open.length + " open";
  }
  function set(row, text) {
    work.change(() => delete state.decisions[row.key]);
    shown[row.key] = text;
    draw(data.open.indexOf(row));
  }
  function toggle(row, letter) {
    const now = value(row) || "";
    set(row, row.letters.split("").filter((l) => (l === letter) !== now.includes(l)).join(""));
  }
  function decide(index, given) {
    const row = data.open[index];
    const text = given ?? (value(row) || "").trim();
    if (given === undefined && (row.kind === "choice" ? !isShown(row) : !text)) return;
    work.change(() => (state.decisions[row.key] = text));
    draw(index);
    go(index + 1);
  }
  function go(index) {
    at = Math.max(0, Math.min(cards.length - 1, index));
    (cards[at].querySelector("input") || cards[at]).focus();
    cards[at].scrollIntoView({ block: "center" });
  }

  // Rows of one sheet with the same kind of mark and a proposal, from the first on, that can be decided together.
  const alike = (index) => data.open.map((_, n) => n).filter((n) => data.open[n].kind === "choice" && data.open[n].read !== null && data.open[n].candidate === data.open[index].candidate && data.open[n].why === data.open[index].why);
  function decideAll(index) {
    if (!alike(index).length) return decide(index);
    work.change(() => {
      const open = alike(index).filter((n) => !(data.open[n].key in state.decisions) && isShown(data.open[n]));
      open.forEach((n) => (state.decisions[data.open[n].key] = value(data.open[n])));
    });
    cards.forEach((_, n) => draw(n));
    go(Math.max(...alike(index)) + 1);
  }
  data.open.forEach((row, index) => {
    const before = data.open[index - 1] || {};
    if (row.why !== before.why) find("list").append(make("h2", {}, row.why));
    const several = alike(index);
    if (several[0] === index && several.length > 1) find("list").append(make("p", {}, make("button", { type: "button", onclick: () => decideAll(index) }, `Decide all ${several.length} of ${row.candidate} as shown`)));
    find("list").append(cards[index]);
    draw(index);
  });
  find("command").textContent = data.command + " --decisions scan-decisions-" + data.exam + ".json";
  find("export").addEventListener("click", () => {
    work.follow();
    download({ v: 1, type: "scan-decisions", exam: data.exam, decisions: { ...data.used, ...state.decisions } }, "scan-decisions-" + data.exam + ".json");
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = data.open[at];
    const typing = event.target.tagName === "INPUT";
    const key = event.key.toUpperCase();
    if (event.key === "Enter" && event.shiftKey && row.kind === "choice") decideAll(at);
    else if (event.key === "Enter" && event.target.tagName !== "BUTTON") decide(at);
    else if (event.key === "ArrowDown") go(at + 1);
    else if (event.key === "ArrowUp") go(at - 1);
    else if (typing) return;
    else if (row.kind === "choice" && key.length === 1 && row.letters.includes(key)) toggle(row, key);
    else if (row.kind === "choice" && event.key === "0") set(row, "");
    else if (event.key === "Delete") set(row, row.read);
    else return;
    event.preventDefault();
  });
  const first = data.open.findIndex((row) => !(row.key in state.decisions));
  go(first < 0 ? 0 : first);
  document.documentElement.dataset.ready = "true";
})();
