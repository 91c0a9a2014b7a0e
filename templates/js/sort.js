// A table of class "sortable": a button in each heading sorts by that column, numbers in descending order first.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const cell = (row, n) => row.cells[n].textContent.trim();
  const amount = (text) => parseFloat(text.replace(/,/g, ""));
  heads.forEach((head, n) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const rows = [...body.rows];
      const numbers = rows.some((row) => row.cells[n].classList.contains("number"));
      const before = head.getAttribute("aria-sort");
      const down = before ? before === "ascending" : numbers;
      const by = (a, b) => numbers
        ? (amount(cell(a, n)) || 0) - (amount(cell(b, n)) || 0)
        : cell(a, n).localeCompare(cell(b, n), undefined, {numeric: true});
      rows.sort((a, b) => (down ? by(b, a) : by(a, b)));
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...rows);
    });
  });
}
