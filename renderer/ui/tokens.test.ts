import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { connectionColours } from '#shared/model/connection.ts';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

test('text on the connection colours and on panels has a contrast of 4.5 and more, in every theme', () => {
  const texts = ['ink', 'ink-2', 'ink-3', 'accent', 'ok', 'warn', 'bad', 'hold'];
  const pairs = [
    ...connectionColours.map((colour) => [`connection-${colour}`, 'connection-ink']),
    ...texts.flatMap((text) => ['panel', 'bg', 'hover', 'accent-soft'].map((ground) => [ground, text])),
    ...['ok', 'warn', 'bad', 'hold'].map((tone) => [`${tone}-soft`, tone]),
    ['accent', 'accent-ink'],
    ['bad', 'bad-ink'],
  ] as const;
  const poor = themes.flatMap((theme) =>
    pairs
      .filter(([a, b]) => contrast(theme.colour(a ?? ''), theme.colour(b ?? '')) < 4.5)
      .map((pair) => `${theme.name}: ${pair.join(' / ')}`),
  );
  expect(poor).toEqual([]);
});

test('the edge of a control has a contrast of 3 and more', () => {
  for (const theme of themes)
    expect(contrast(theme.colour('panel'), theme.colour('line-control'))).toBeGreaterThanOrEqual(3);
});

test('with reduced motion there is no transition at all: a short one would be one of every change of every element', () => {
  const reduced = css.slice(css.indexOf('(prefers-reduced-motion: reduce)'));
  expect(/transition-duration: ([^;]+);/.exec(reduced)?.[1]).toBe('0s !important');
});

interface Theme {
  readonly name: string;
  readonly colour: (token: string) => string;
}

const base = tokensOf(css.slice(css.indexOf(':root {')));
const contrastTokens = tokensOf(css.slice(css.indexOf(":root[data-theme='contrast']")));
const themes: readonly Theme[] = [
  { name: 'light', colour: (token) => pick(base.get(token), 0) },
  { name: 'dark', colour: (token) => pick(base.get(token), 1) },
  { name: 'contrast', colour: (token) => pick(contrastTokens.get(token) ?? base.get(token), 1) },
];

function tokensOf(block: string): ReadonlyMap<string, string> {
  const body = block.slice(0, block.indexOf('\n}'));
  return new Map([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
}

/** The colour of a token that is one colour or a `light-dark()` pair. */
function pick(value: string | undefined, side: 0 | 1): string {
  const colours = value?.match(/#[0-9a-f]{6}/g) ?? [];
  const colour = colours[side] ?? colours[0];
  if (colour === undefined) throw new Error(`no colour in ${value}`);
  return colour;
}

/** WCAG 2.2, relative luminance and contrast ratio. */
function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
