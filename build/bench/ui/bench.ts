/** `npm run bench -- ui`: how the page feels with 100,000 computers and a million stored events, in a real browser. */
import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import type { Figure } from '../measure.ts';
import { framesDuring, type Frames } from './frames.ts';
import { untilAtRest, untilShown } from './probe.ts';
import { computers, events, withStage, type Stage } from './stage.ts';

const computerFilters = ['FIN-', 'os:windows compromised:yes', 'last_seen<1d', 'ip:10.20.0.0/16', 'isolation:pending*'];
const eventFilters = ['severity>=high', 'outcome:open', 'host:FIN-WS-00042', 'ip:10.3.0.0/16', 'powershell'];
const found = ['FIN-LT', 'isolate', 'events', 'HR-WS-00'];
const interactions = Number(process.env['CORDON_BENCH_INTERACTIONS'] ?? 5000);

export function benchUi(): Promise<readonly Figure[]> {
  return withStage(async (stage) => [
    ...(await filters(stage, '/computers', `${computers} computers`, computerFilters)),
    ...(await filters(stage, '/events', `${events} events`, eventFilters)),
    ...(await palette(stage)),
    ...(await scrolling(stage, '/computers', 'Computers')),
    ...(await scrolling(stage, '/events', 'Events')),
    ...(await memory(stage)),
  ]);
}

async function filters(
  { page, visit }: Stage,
  path: string,
  over: string,
  texts: readonly string[],
): Promise<readonly Figure[]> {
  await visit(path);
  const box = page.getByRole('searchbox', { name: /filter/i });
  await page.locator('[data-shown]').first().waitFor();
  // Once before, as for anybody who has looked at the screen.
  await untilShown(page, () => box.fill('zzz'));
  await untilShown(page, () => box.fill(''));
  const put: number[] = [];
  const taken: number[] = [];
  for (const text of [...texts, ...texts, ...texts]) {
    put.push(await untilShown(page, () => box.fill(text)));
    taken.push(await untilShown(page, () => box.fill('')));
  }
  return [
    { name: `filter over ${over}: input to rows on the screen`, unit: 'ms', values: put, target: 'under 50' },
    { name: `filter over ${over} taken away`, unit: 'ms', values: taken, target: 'under 50' },
  ];
}

async function palette({ page, visit }: Stage): Promise<readonly Figure[]> {
  await visit('/computers');
  await page.getByRole('grid', { name: 'Computers' }).focus();
  const part = '[role=dialog]';
  const opened: number[] = [];
  const typed: number[] = [];
  for (const text of [...found, ...found, ...found]) {
    opened.push(await untilAtRest(page, part, () => page.keyboard.press('Control+k')));
    typed.push(await untilAtRest(page, part, () => page.keyboard.insertText(text)));
    await page.keyboard.press('Escape');
    await page.locator(part).waitFor({ state: 'detached' });
  }
  return [
    { name: 'palette: key to the open palette', unit: 'ms', values: opened, target: 'under 30' },
    { name: 'palette: letters to its answer', unit: 'ms', values: typed, target: 'under 30' },
  ];
}

async function scrolling({ browser, page, visit }: Stage, path: string, grid: string): Promise<readonly Figure[]> {
  await visit(path);
  const table = page.getByRole('grid', { name: grid }).first();
  await page.locator('[data-shown]').first().waitFor();
  const box = await table.boundingBox();
  if (box === null) throw new Error(`no table ${grid}`);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const frames = await framesDuring(browser, page, () => wheel(page, 240));
  return figuresOf(`scrolling ${grid}`, frames);
}

async function wheel(page: Page, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await page.mouse.wheel(0, turn % 60 < 40 ? 220 : -160);
}

function figuresOf(name: string, { scriptMs, longTasksMs }: Frames): readonly Figure[] {
  const longest = longTasksMs.length === 0 ? [0] : longTasksMs;
  return [
    { name: `${name}: our script in a frame`, unit: 'ms', values: scriptMs, target: '8 or less' },
    { name: `${name}: tasks above 50 ms`, unit: 'ms', values: longest, target: 'none' },
  ];
}

/** Walks the screens as an operator does, as fast as the page answers. */
async function memory(stage: Stage): Promise<readonly Figure[]> {
  const before = await heapOf(stage.page);
  const turns: readonly (() => Promise<unknown>)[] = [
    ...Array.from({ length: 8 }, () => () => stage.page.keyboard.press('ArrowDown')),
    () => stage.page.keyboard.press('End'),
    () => stage.page.keyboard.press('Home'),
  ];
  for (let done = 0; done < interactions;) {
    for (const path of ['/computers', '/events', '/overview', '/log']) {
      await stage.visit(path);
      // Not every screen has a table; the keys then go to what has the focus.
      await stage.page.evaluate(() => document.querySelector<HTMLElement>('main [role=grid]')?.focus());
      for (const turn of turns) await turn();
      done += turns.length + 1;
    }
  }
  const session = await stage.browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => ownShareOf(id));
  return [
    { name: 'JavaScript heap before', unit: 'MB', values: [before] },
    { name: `JavaScript heap after ${interactions} interactions`, unit: 'MB', values: [await heapOf(stage.page)] },
    {
      name: 'memory of the page (its renderer process)',
      unit: 'MB',
      values: [Math.max(...renderers)],
      target: 'under 300',
    },
  ];
}

/** Resident memory in MB, what is shared with other processes counted in parts (Linux only; NaN elsewhere). */
function ownShareOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}
