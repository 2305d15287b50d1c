/** The essentials once more in the real desktop window, wherever Electron's binary is and a window can open. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { _electron, expect, test } from '@playwright/test';

import { watch } from './fixtures.ts';

const binary = process.env['CORDON_ELECTRON'] ?? '';
const root = join(import.meta.dirname, '..');

test.skip(binary === '', "Electron's binary is not installed, or no window can open here");

test('the window opens on the sandbox tenant, locked, and closes cleanly', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'cordon-desktop-'));
  const args = ['--profile', profile, '--sandbox-computers', '200'];
  const electron = await _electron.launch({
    executablePath: binary,
    args: [root],
    env: { ...definedEnvironment(), CORDON_ARGUMENTS: JSON.stringify(args) },
  });
  const page = await electron.firstWindow();
  const problems = watch(page, []);
  await expect(page).toHaveURL(/^cordon:\/\/app\//);
  await expect(page.getByText('sandbox', { exact: false }).first()).toBeVisible();
  const open = await page.evaluate(() => window.open('https://evil.example/'));
  expect(open).toBeNull();
  expect(await page.evaluate(() => 'require' in window || 'process' in window)).toBe(false);
  expect(problems).toEqual([]);
  // The place of the window is kept when it closes; the menu holds the screens.
  const menus = await electron.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? []);
  expect(menus).toContain('Go');
  expect(menus).toContain('Commands');
  await electron.close();
  expect(JSON.parse(await readFile(join(profile, 'window.json'), 'utf8'))).toHaveProperty('bounds.width');
  await rm(profile, { recursive: true, force: true });
});

test('a link opens its screen in the running window, and one that would do more opens nothing', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'cordon-desktop-'));
  const args = ['--profile', profile, '--sandbox-computers', '200'];
  const electron = await _electron.launch({
    executablePath: binary,
    args: [root],
    env: { ...definedEnvironment(), CORDON_ARGUMENTS: JSON.stringify(args) },
  });
  const page = await electron.firstWindow();
  await expect(page.getByText('sandbox', { exact: false }).first()).toBeVisible();
  const follow = async (link: string) =>
    electron.evaluate(({ app }, argv) => void app.emit('second-instance', {}, argv, '', {}), ['cordon', link]);
  await follow('cordon://open/log');
  await expect(page).toHaveURL(/#\/log$/);
  await follow('cordon://open/command-line?line=svc_get_version');
  await expect(page).toHaveURL(/#\/log$/);
  await electron.close();
  await rm(profile, { recursive: true, force: true });
});

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
