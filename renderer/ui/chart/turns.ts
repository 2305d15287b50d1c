/** Pictures that come at the same time are drawn one after the other, so that the page answers between them. */
const waiting: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Draws soon, in a task of its own. Returns the way to call it off. */
export function inTurn(draw: () => void): () => void {
  waiting.push(draw);
  timer ??= setTimeout(drawNext);
  return () => {
    const place = waiting.indexOf(draw);
    if (place >= 0) waiting.splice(place, 1);
  };
}

function drawNext(): void {
  const draw = waiting.shift();
  timer = waiting.length === 0 ? undefined : setTimeout(drawNext);
  draw?.();
}
