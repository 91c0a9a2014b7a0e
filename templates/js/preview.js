"use strict";
// The author's preview. Text from a bank is inserted as text, except for the blocks that the server has escaped.
(() => {
  const $ = (id) => document.getElementById(id);
  const here = location.pathname;
  let stamp = "", chosen = "", items = [];

  const ask = async (what, query) => {
    const reply = await fetch(here + what + "?" + new URLSearchParams(query));
    return reply.ok ? reply.json() : null;
  };
  const made = (tag, text, name) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (name) node.className = name;
    return node;
  };
  const said = (text) => { $("state").textContent = text; };

  function list() {
    const wanted = $("find").value.toLowerCase();
    $("items").replaceChildren(...items.filter((i) => (i.id + " " + i.topic).toLowerCase().includes(wanted)).map((i) => {
      const row = made("li"), button = made("button", i.id, i.faulty ? "faulty" : "");
      button.type = "button";
      button.setAttribute("aria-current", String(i.id === chosen));
      button.addEventListener("click", () => choose(i.id));
      row.append(button);
      return row;
    }));
  }
  function problems(found) {
    $("problems").hidden = !found.length;
    $("problems").replaceChildren(...found.map((p) => {
      const box = made("div", undefined, "problem " + p.severity);
      box.append(made("strong", (p.item ? p.item + ": " : "") + p.message));
      if (p.hint) box.append(made("div", p.hint));
      box.append(made("div", p.at, "small"));
      if (p.excerpt) box.append(made("pre", p.excerpt));
      return box;
    }));
  }
  function titled(title, texts) {
    const box = made("div");
    if (!texts.length) return box;
    box.append(made("h2", title));
    const rows = made("ol");
    rows.append(...texts.map((t) => made("li", t)));
    box.append(rows);
    return box;
  }
  function answers(rows) {
    $("answers").replaceChildren();
    if (!rows.length) return;
    const table = made("table"), head = made("tr");
    for (const name of ["Should earn", "Earns", ...rows[0].marks.map(([id]) => id), "Answer"]) head.append(made("th", name));
    table.append(head);
    for (const row of rows) {
      const line = made("tr", undefined, row.wrong ? "wrong" : "");
      line.append(made("td", row.wanted || "-"), made("td", (row.wrong ? "✗ " : row.wanted ? "✓ " : "") + row.earned));
      for (const [, status, points] of row.marks) line.append(made("td", status + " " + points));
      const text = made("td", row.text);
      if (row.wrong) text.append(made("div", row.wrong, "small"));
      line.append(text);
      table.append(line);
    }
    $("answers").append(made("h2", "Answers beside the item"), table);
  }
  async function show() {
    const [id, n] = [chosen, $("drawing").value];
    const shown = id && await ask("item", { id, n });
    if (id !== chosen || n !== $("drawing").value) return; // another one was asked for meanwhile
    $("item").hidden = !shown || !shown.drawings;
    if (!shown) return;
    problems(shown.problems);
    if (!shown.drawings) return;
    $("id").textContent = shown.id;
    $("about").textContent = shown.about;
    $("slide").hidden = shown.drawings < 2;
    $("drawing").max = String(shown.drawings - 1);
    const drawn = Object.entries(shown.drawn).map(([name, value]) => name + " = " + value).join(", ");
    $("which").textContent = (Number($("drawing").value) + 1) + " of " + shown.drawings + (drawn ? ": " + drawn : "");
    $("prompt").innerHTML = shown.prompt;
    $("solution").innerHTML = shown.solution;
    $("marking").innerHTML = shown.marking;
    $("key").textContent = shown.key;
    answers(shown.answers);
    $("more").replaceChildren(titled("Hints", shown.hints), titled("Told on request", shown.given));
    $("at").textContent = (shown.source ? "Source: " + shown.source + " · " : "") + shown.at;
    for (const input of $("prompt").querySelectorAll("input, textarea:not(.working)")) {
      input.addEventListener("input", () => {
        const checked = [...$("prompt").querySelectorAll("input:checked")].map((i) => i.value);
        $("response").value = shown.letters ? checked.join(", ") : input.value;
        score();
      });
    }
    score();
  }
  async function score() {
    const typed = $("response").value;
    if (!typed) { $("score").replaceChildren(); return; }
    const got = await ask("score", { id: chosen, n: $("drawing").value, response: typed });
    if (!got || typed !== $("response").value) return;
    const quoted = made("p");
    quoted.append(...got.pieces.map(([text, found]) => made(found ? "mark" : "span", text)));
    const rows = [made("p", got.outcome + ": " + got.earned + " of " + got.possible, "outcome"), quoted];
    if (got.echo) rows.push(made("p", "Reads as: " + got.echo));
    for (const c of got.criteria || []) rows.push(made("p", c.id + " (" + c.status + ", " + c.earned + " of " + c.possible + "): " + c.because));
    for (const text of got.say || []) rows.push(made("p", text));
    $("score").replaceChildren(...rows);
  }
  function choose(id) {
    if (id !== chosen) { $("drawing").value = "0"; $("response").value = ""; }
    chosen = id;
    list();
    show();
  }
  async function follow() {
    for (;;) {
      let bank = null;
      try { bank = await ask("bank", { stamp }); } catch { said("The preview has ended; start it again."); }
      if (!bank) { await new Promise((done) => setTimeout(done, 1000)); continue; }
      if (bank.stamp === stamp) continue;
      stamp = bank.stamp;
      const faulty = new Set(bank.faulty);
      items = bank.items.map((i) => ({ ...i, faulty: faulty.has(i.id) }));
      const known = new Set(items.map((i) => i.id));
      items.push(...bank.faulty.filter((id) => !known.has(id)).map((id) => ({ id, topic: "", faulty: true })));
      $("title").textContent = bank.title;
      said("Read at " + new Date().toLocaleTimeString());
      if (!items.some((i) => i.id === chosen)) chosen = items.length ? items[0].id : "";
      list();
      if (!chosen) problems(bank.problems);
      await show();
    }
  }
  for (const button of document.querySelectorAll("[data-look]")) {
    button.addEventListener("click", () => {
      $("look").className = "look " + button.dataset.look;
      for (const other of document.querySelectorAll("[data-look]")) other.setAttribute("aria-pressed", String(other === button));
    });
  }
  $("find").addEventListener("input", list);
  $("drawing").addEventListener("input", show);
  $("response").addEventListener("input", score);
  $("try").addEventListener("submit", (event) => event.preventDefault());
  follow();
})();
