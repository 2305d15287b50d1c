import { readFile } from 'node:fs/promises';

import { hasNoViolations } from './axe.ts';
import { expect, test } from './house.ts';
import { commandLine, dialog, drawer, listIsRead, runLine } from './screens.ts';

test('the chain is verified, an entry becomes a line again, an incident becomes a report', async ({ page }) => {
	await listIsRead(page);
	await runLine(page, 'svc_get_groups limit=7');
	await expect(drawer(page).getByRole('status').first()).toContainText('7 of 44 groups');
	await page.keyboard.press('Escape');
	await page.keyboard.press('Escape');
	await page.getByRole('link', { name: 'Incident log', exact: true }).click();
	const log = page.getByRole('grid', { name: 'Incident log' });
	await expect(log.getByRole('row', { name: /7 of 44 groups/ })).toBeVisible();
	await log.focus();
	await page.keyboard.press('Shift+v');
	await expect(page.getByRole('status').filter({ hasText: 'Hash chain intact' })).toContainText(/\d+ entries, checked/);
	await hasNoViolations(page);

	await log.getByRole('row', { name: /7 of 44 groups/ }).click();
	await page.keyboard.press('Enter');
	const panel = page.getByRole('complementary', { name: 'Entry at the cursor' });
	await expect(panel).toContainText('!svc_get_groups limit=7');
	await page.keyboard.press('Shift+r');
	await expect(commandLine(page)).toHaveValue('svc_get_groups limit=7');
	await page.keyboard.press('Enter');
	// While an entry is read, new ones wait above.
	const waiting = page.getByRole('button', { name: '2 new entries' });
	await expect(waiting).toBeVisible();
	await expect(log.getByRole('row', { name: /7 of 44 groups/ })).toHaveCount(1);
	await page.keyboard.press('Escape');
	await page.keyboard.press('Escape');
	await waiting.click();
	await expect(log.getByRole('row', { name: /7 of 44 groups/ })).toHaveCount(2);
	await expect(waiting).toBeHidden();

	await page.getByRole('button', { name: 'New incident…' }).click();
	await dialog(page).getByRole('textbox', { name: 'Title' }).fill('Beacon <b>bold</b>');
	await dialog(page).getByRole('button', { name: 'Open' }).click();
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

test('what was done elsewhere stands between our own, with its price, and becomes evidence', async ({
	page,
	service,
	app,
}) => {
	await listIsRead(page);
	await page.goto(`http://127.0.0.1:${app.port()}/#/log`);
	const log = page.getByRole('grid', { name: 'Incident log' });
	await page.getByRole('button', { name: 'Load: at least 1 call' }).click();
	await expect(page.getByText(/4\d\d actions outside Cordon\. (?:.* )?Loaded .* ago with 1 call\./)).toBeVisible();
	await page.getByRole('searchbox', { name: 'Search the log' }).fill('isolation asked');
	await log
		.getByRole('row', { name: /^outside Cordon, by .*Isolation asked for/ })
		.first()
		.click();
	await page.keyboard.press('Enter');
	const panel = page.getByRole('complementary', { name: 'Entry at the cursor' });
	await expect(panel.getByRole('row', { name: /unlock_code/ })).toContainText('••••••');
	await hasNoViolations(page);
	await page.keyboard.press('Shift+p');
	await dialog(page).getByRole('textbox', { name: 'Why' }).fill('None of us did that');
	await dialog(page).getByRole('button', { name: 'Pin', exact: true }).click();
	await page.getByText('Pinned only').click();
	await expect(log.getByRole('row', { name: /^pinned: Pinned as evidence, changed outside Cordon/ })).toBeVisible();

	await service.weather('GET /v1/audit_logs*=status:403');
	await page.getByRole('button', { name: 'Load new entries: 1 call' }).click();
	await expect(page.getByText('This API key may not read the service audit log')).toBeVisible();
});

test('a hand-over tells what was kept as evidence, and its next steps go into the log', async ({
	page,
	context,
	app,
}) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await listIsRead(page);
	await page.goto(`http://127.0.0.1:${app.port()}/#/log`);
	const log = page.getByRole('grid', { name: 'Incident log' });
	await page.getByRole('button', { name: 'Add note…' }).click();
	await dialog(page).getByRole('textbox', { name: 'Note' }).fill('Seen at the ward');
	await dialog(page).getByRole('button', { name: 'Add note' }).click();
	await log.getByRole('row', { name: 'note: Seen at the ward' }).click();
	await page.keyboard.press('Enter');
	await page.keyboard.press('Shift+p');
	await dialog(page).getByRole('button', { name: 'Pin', exact: true }).click();
	await expect(page.getByRole('complementary', { name: 'Entry at the cursor' })).toContainText('Evidence: pinned');
	await page.keyboard.press('Shift+h');
	await expect(page.getByRole('region', { name: 'Evidence' })).toContainText('Seen at the ward');
	await hasNoViolations(page);
	await page.getByRole('textbox', { name: 'Next steps' }).fill('- call the ward');
	const saving = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Save page' }).click();
	const text = await readFile(await (await saving).path(), 'utf8');
	expect(text).toContain('- call the ward');
	expect(text).toMatch(/Evidence<\/h2><ul><li>.*Seen at the ward/);
	await page.getByRole('button', { name: 'Write to the log' }).click();
	await expect(page.getByRole('region', { name: 'Notes' })).toContainText('Next steps: - call the ward');
});
