import { readFile } from 'node:fs/promises';

import { hasNoViolations } from './axe.ts';
import { expect, test } from './house.ts';
import { commandLine, dialog, drawer, listIsRead, runLine } from './screens.ts';

test('the chain is verified, an entry becomes a line again, an incident becomes a report', async ({ page }) => {
  await listIsRead(page);
  await runLine(page, 'svc_get_groups limit=2');
  await expect(drawer(page).getByRole('status').first()).toContainText('2 of 44 groups');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Incident log', exact: true }).click();
  const log = page.getByRole('grid', { name: 'Incident log' });
  await expect(log.getByRole('row', { name: /2 of 44 groups/ })).toBeVisible();
  await log.focus();
  await page.keyboard.press('Shift+v');
  await expect(page.getByRole('status').filter({ hasText: 'The chain holds' })).toContainText(/\d+ entries, checked/);
  await hasNoViolations(page);

  await log.getByRole('row', { name: /2 of 44 groups/ }).click();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Entry at the cursor' });
  await expect(panel).toContainText('!svc_get_groups limit=2');
  await page.keyboard.press('Shift+r');
  await expect(commandLine(page)).toHaveValue('svc_get_groups limit=2');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'New incident…' }).click();
  await dialog(page).getByRole('textbox', { name: 'Title' }).fill('Beacon <b>bold</b>');
  await dialog(page).getByRole('button', { name: 'Open it' }).click();
  await page.getByRole('button', { name: 'Export…' }).click();
  await dialog(page).getByText('HTML report').click();
  const saving = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Export' }).click();
  const text = await readFile(await (await saving).path(), 'utf8');
  expect(text).toContain('Incident: Beacon &lt;b&gt;bold&lt;/b&gt;');
  expect(text).not.toContain('<b>bold');
});

test('conditions lie in the address', async ({ page, app }) => {
  await listIsRead(page);
  await page.goto(`http://127.0.0.1:${app.port()}/#/log?kind=connection.changed&within=24h&surface=cli`);
  const log = page.getByRole('grid', { name: 'Incident log' });
  await expect(log.getByRole('row', { name: /^connection: Connection added/ })).toBeVisible();
  await page.getByRole('button', { name: /From$/ }).click();
  await page.getByRole('option', { name: 'playbook' }).click();
  await expect(page).toHaveURL(/surface=playbook/);
  await expect(page.getByText('No entry matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all entries' }).click();
  await expect(page).not.toHaveURL(/surface=/);
});
