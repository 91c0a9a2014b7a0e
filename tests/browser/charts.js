// What a reader meets in the charts of a report: the smallest text in pixels as it is on the screen, texts that end outside
// their chart, and the least contrast between a number in the heat-map and its cell.
({
  smallest: Math.min(...[...document.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().width)
    .flatMap(s => [...s.querySelectorAll('text')].map(t => 12 * s.getBoundingClientRect().width / s.viewBox.baseVal.width))),
  outside: [...document.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().width).flatMap(s => {
    const box = s.getBoundingClientRect();
    return [...s.querySelectorAll('text')].filter(t => {
      const b = t.getBoundingClientRect();
      return b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1 || b.bottom > box.bottom + 1;
    }).map(t => t.textContent);
  }),
  contrast: (() => {
    const light = c => { const p = c.match(/[\d.]+/g).slice(0, 3).map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
      return .2126 * p[0] + .7152 * p[1] + .0722 * p[2]; };
    const found = [...document.querySelectorAll('rect.heat + text.middle')].map(t => {
      const [a, b] = [getComputedStyle(t).fill, getComputedStyle(t.previousElementSibling).fill].map(light);
      return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    });
    return found.length ? Math.min(...found) : 99;
  })(),
})
