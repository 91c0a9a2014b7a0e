// Time: the wall clock when the page opens, from then on the steady clock alone. Setting the wall clock neither
// gives nor takes time; a jump of more than two seconds is reported. `ahead` is the difference to the
// wall clock; `resume` continues from an earlier page's latest moment and its `ahead`.
function startClock(jumped) {
  let wall = Date.now();
  let steady = performance.now();
  let reached = wall;
  function now() {
    const step = performance.now() - steady;
    const jump = Date.now() - wall - step;
    steady += step;
    wall = Date.now();
    reached += step;
    if (Math.abs(jump) > 2000) jumped(jump / 1000);
    return reached;
  }
  now.ahead = () => now() - wall;
  now.resume = (seen, ahead) => {
    const since = now() + ahead - seen;
    reached = seen + Math.max(since, 0);
    if (since < -2000) jumped(since / 1000);
  };
  return now;
}

// The page's words, with values for {0}, {1}. `quizgen exam --words` replaces the texts.
const say = (text, ...values) => text.replace(/\{(\d)\}/g, (_, place) => values[place]);

const iso = (ms) => (ms ? new Date(ms).toISOString() : null);
const tenth = (seconds) => Math.round(seconds * 10) / 10;

// "12 minutes", "40 seconds": for screen readers.
function spoken(seconds) {
  if (seconds >= 90) return say("{0} minutes", Math.round(seconds / 60));
  return say("{0} seconds", Math.max(0, Math.round(seconds)));
}

// "42:10", "1:02:10", and "+0:05" for time over the limit.
function clockText(seconds) {
  const whole = Math.abs(Math.ceil(seconds));
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const text = two(Math.floor(whole / 60) % 60) + ":" + two(whole % 60);
  return (seconds < 0 ? "+" : "") + (hours ? hours + ":" + text : text);
}
