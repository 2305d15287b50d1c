/** What somebody sees who starts Cordon for the first time: the window, the sandbox tenant, the way through it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { screens } from '#shared/model/screens.ts';

import { goTo } from '../jobs.ts';
import { dialog, expectIsolation, listIsRead, openComputer, receipt, reasonOf } from '../screens.ts';
import { expect, test } from './desktop.ts';

const host = 'FIN-LT-0231';

test('the first start leads from the list of sandbox computers to isolated and released', async ({
  start,
  profile,
}) => {
  const { electron, page, problems } = await start();
  await expect(page).toHaveURL(/^cordon:\/\/app\//);
  await listIsRead(page);
  await expect(page.getByRole('main').getByText('300 computers')).toBeVisible();
  await expect(page).toHaveTitle(/Sandbox · Cordon$/);

  await openComputer(page, host);
  await expectIsolation(page, 'not_isolated');
  await change(page, 'Isolate', 'Beaconing');
  await expectIsolation(page, 'isolated');
  await expect(receipt(page, 'confirmed')).toContainText('isolated');
  await change(page, 'Release', 'Host is clean');
  await expectIsolation(page, 'not_isolated');

  expect(problems).toEqual([]);
  await electron.close();
  // The place of the window is kept when it closes.
  expect(JSON.parse(await readFile(join(profile, 'window.json'), 'utf8'))).toHaveProperty('bounds.width');
});

test('every screen opens without an error of the page and without a violation of its policy', async ({ shared }) => {
  const { page, problems } = shared;
  for (const { path, title } of screens) {
    await goTo(page, path);
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
    expect(problems, path).toEqual([]);
  }
});

test('the page is alone: no Node, no other window, the policy in force', async ({ shared }) => {
  const { page, problems } = shared;
  expect(await page.evaluate(() => window.open('https://evil.example/'))).toBeNull();
  expect(await page.evaluate(() => 'require' in window || 'process' in window)).toBe(false);
  expect(problems).toEqual([]);
});

test('nothing of the computer is given to the page: screen, camera, place, notifications', async ({ start }) => {
  const { page, electron, problems } = await start();
  const asked = await page.evaluate(async () => {
    const outcome = (work: Promise<unknown>): Promise<string> =>
      work.then(String, (error: unknown) => (error instanceof Error ? error.name : 'refused'));
    const media = navigator.mediaDevices;
    const place = new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject));
    return Promise.all([
      outcome(media.getDisplayMedia({ video: true })),
      outcome(media.getUserMedia({ video: true, audio: true })),
      outcome(place),
      outcome(Notification.requestPermission()),
    ]);
  });
  // A computer without a camera has nothing to refuse.
  expect(asked).toEqual(['NotAllowedError', expect.stringMatching(/^Not(?:Allowed|Found)Error$/), 'refused', 'denied']);
  expect(problems.filter((problem) => !problem.startsWith('error: Permissions policy violation: '))).toEqual([]);
  // The program lives on.
  expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

async function change(page: Parameters<typeof goTo>[0], verb: 'Isolate' | 'Release', reason: string): Promise<void> {
  await page.getByRole('button', { name: `${verb}…` }).click();
  await reasonOf(page).fill(reason);
  await expect(dialog(page).getByText(/^Now: /)).toBeVisible();
  await dialog(page)
    .getByRole('button', { name: new RegExp(`^${verb} ${host} in `) })
    .click();
  await expect(dialog(page)).toBeHidden();
}
