/** Mixes two resolved colours, such as `rgb(1, 2, 3)`; `share` of the first, from 0 to 1. */
export function mix(first: string, second: string, share: number): string {
  const [a, b] = [partsOf(first), partsOf(second)];
  if (a === null || b === null) return share >= 0.5 ? first : second;
  const parts = a.map((part, index) => Math.round(part * share + (b[index] ?? 0) * (1 - share)));
  return `rgb(${parts.join(', ')})`;
}

function partsOf(colour: string): readonly number[] | null {
  const parts = /^rgba?\(([^)]*)\)$/
    .exec(colour)?.[1]
    ?.split(/[\s,/]+/)
    .slice(0, 3)
    .map(Number);
  return parts === undefined || parts.length < 3 || parts.some(Number.isNaN) ? null : parts;
}
