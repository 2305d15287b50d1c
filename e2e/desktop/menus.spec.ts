/** Every entry of the window's menu does what it says. */
import type { ElectronApplication } from '@playwright/test';

import { catalogue } from '#shared/commands/catalogue.ts';
import { screens } from '#shared/model/screens.ts';

import { commandLine } from '../screens.ts';
import { expect, test } from './desktop.ts';

test('Go leads to every screen', async ({ shared }) => {
  const { page, electron, problems } = shared;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const { title } of screens) {
    await choose(electron, ['Go', title]);
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: title })).toBeVisible();
  }
  expect(problems).toEqual([]);
});

test('Commands begins every line of the catalogue, and sends nothing', async ({ shared }) => {
  const { page, electron } = shared;
  for (const { name, title, risk } of catalogue) {
    await choose(electron, risk === 'read' ? ['Commands', title] : ['Commands', 'Changes', title]);
    await expect(commandLine(page)).toHaveValue(`${name} `);
  }
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('View makes the page larger, smaller and as it was, and loads it again where it is', async ({ shared }) => {
  const { page, electron } = shared;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const zoom = () =>
    electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel() ?? 0);
  await choose(electron, ['View', 'Zoom In']);
  expect(await zoom()).toBeGreaterThan(0);
  await choose(electron, ['View', 'Actual Size']);
  expect(await zoom()).toBe(0);
  await choose(electron, ['View', 'Zoom Out']);
  expect(await zoom()).toBeLessThan(0);
  await choose(electron, ['View', 'Actual Size']);
  await choose(electron, ['Go', 'Groups']);
  await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible();
  const again = page.waitForEvent('load');
  await choose(electron, ['View', 'Reload']);
  await again;
  await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible();
});

/** Chooses an entry by its labels, as a click on it would. */
function choose(electron: ElectronApplication, labels: readonly string[]): Promise<void> {
  return electron.evaluate(({ BrowserWindow, Menu }, path) => {
    const [window] = BrowserWindow.getAllWindows();
    let menu = Menu.getApplicationMenu();
    for (const label of path) {
      const item = menu?.items.find((each) => each.label === label);
      if (item === undefined) throw new Error(`The menu has no ${path.join(' › ')}.`);
      if (item.submenu === undefined || item.submenu === null) item.click(undefined, window, window?.webContents);
      menu = item.submenu ?? null;
    }
  }, labels);
}
