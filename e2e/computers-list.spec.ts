/** The list of computers beside its rows: facets, ages, views, columns, labels, hygiene, selection, exports. */
import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { expect, test } from './house.ts';
import { closeDialog, computers, dialog, filterBox, listIsRead, rowOf } from './screens.ts';

const rows = (page: Page) => computers(page).getByRole('row', { name: /isolation:/ });
const facets = (page: Page) => page.getByRole('complementary', { name: 'Facets' });
const facet = (page: Page, title: string, value: RegExp) =>
	facets(page).getByRole('region', { name: title, exact: true }).getByRole('button', { name: value });
const ages = (page: Page) => page.getByRole('toolbar', { name: 'Last seen' });
const counted = (page: Page) => page.getByRole('main').getByText(/^[\d,]+ of the 300 computers/);

/** The number behind the last word of a facet or a bar. */
async function numberOf(text: Promise<string | null>): Promise<number> {
	return Number(/([\d,]+)$/.exec((await text) ?? '')?.[1]?.replaceAll(',', ''));
}

test('the beginning of a field is no condition while it is typed, and Enter makes it one', async ({ page }) => {
	await listIsRead(page);
	await filterBox(page).focus();
	await page.keyboard.type('las');
	const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
	await expect(options).toHaveText([/last_seen/, /“las”.*the word itself/]);
	await expect(page.getByRole('main').getByText('300 computers', { exact: false }).first()).toBeVisible();
	await expect(page.getByRole('list', { name: 'Conditions' })).toHaveCount(0);
	await page.keyboard.press('Enter');
	await expect(page.getByRole('list', { name: 'Conditions' }).getByRole('listitem')).toHaveCount(1);
	await expect(page.getByText('No computer matches').or(counted(page)).first()).toBeVisible();
});

test('a facet asks for its value, others are counted anew, and f puts the facets away', async ({ page }) => {
	await listIsRead(page);
	const laptops = facet(page, 'Group', /^Finance Laptops/);
	const count = await numberOf(laptops.textContent());
	expect(count).toBeGreaterThan(0);
	await laptops.click();
	await expect(filterBox(page)).toHaveValue('group="Finance Laptops"');
	await expect(counted(page)).toHaveText(new RegExp(`^${count} of the 300`));
	await expect(laptops).toHaveAttribute('aria-pressed', 'true');
	// Other groups can still be added.
	const more = facets(page).getByRole('region', { name: 'Group', exact: true }).getByRole('button', { pressed: false });
	const other = more.first();
	const both = count + (await numberOf(other.textContent()));
	await other.click();
	await expect(counted(page)).toHaveText(new RegExp(`^${both} of the 300`));
	await laptops.click();
	await expect(counted(page)).toHaveText(new RegExp(`^${both - count} of the 300`));
	await computers(page).focus();
	await page.keyboard.press('f');
	await expect(facets(page)).toBeHidden();
	await page.keyboard.press('f');
	await expect(facets(page)).toBeVisible();
});

test('the ages above the rows filter them, alone and as a run, by pointer and by key', async ({ page }) => {
	await listIsRead(page);
	const bar = ages(page).getByRole('button', { name: /^7–30 d/ });
	await expect(bar).toHaveAccessibleName(/^7–30 d [1-9]/);
	const one = await numberOf(bar.textContent());
	await bar.click();
	await expect(filterBox(page)).toHaveValue('last_seen>7d last_seen<30d');
	await expect(counted(page)).toHaveText(new RegExp(`^${one} of the 300`));
	await bar.focus();
	await page.keyboard.press('ArrowRight');
	const next = ages(page).getByRole('button', { name: /^30–90 d/ });
	await expect(next).toBeFocused();
	const two = await numberOf(next.textContent());
	await next.click({ modifiers: ['Shift'] });
	await expect(filterBox(page)).toHaveValue('last_seen>7d last_seen<90d');
	await expect(counted(page)).toHaveText(new RegExp(`^${one + two} of the 300`));
	await expect(ages(page).getByRole('button', { pressed: true })).toHaveCount(2);
});

test('a view keeps filter, order and columns; it is pinned, changed, put back, and opens the list', async ({
	page,
}) => {
	await listIsRead(page);
	await filterBox(page).fill('os:windows compromised:yes');
	await computers(page).getByRole('columnheader', { name: 'Last seen' }).getByRole('button').click();
	await computers(page).focus();
	await page.keyboard.press('v');
	await page.getByRole('menuitem', { name: /^Save as a view/ }).click();
	await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Compromised Windows');
	await dialog(page).getByText('Apply when the list opens').click();
	await dialog(page).getByRole('button', { name: 'Save' }).click();
	const pinned = page.getByRole('toolbar', { name: 'Pinned views' });
	await expect(pinned.getByRole('button', { name: 'Compromised Windows', exact: true })).toHaveAttribute(
		'aria-pressed',
		'true',
	);
	await expect(page).toHaveURL(/view=/);

	// Columns belong to the view.
	await page.getByRole('button', { name: 'Columns' }).click();
	await dialog(page).getByText('Connector', { exact: true }).click();
	await dialog(page).getByRole('textbox', { name: 'Width of Connector in pixels' }).fill('200');
	await dialog(page).getByRole('button', { name: 'Done' }).click();
	const connector = computers(page).getByRole('columnheader', { name: 'Connector' });
	await expect(connector).toBeVisible();
	await expect.poll(async () => Math.round((await connector.boundingBox())?.width ?? 0)).toBe(200);
	await pinned.getByRole('button', { name: 'All computers' }).click();
	await expect(filterBox(page)).toHaveValue('');
	await expect(connector).toBeHidden();

	// An address without anything opens it.
	const { origin } = new URL(page.url());
	await page.goto('about:blank');
	await page.goto(`${origin}/#/computers`);
	await expect(filterBox(page)).toHaveValue('os:windows compromised:yes');
	await expect(connector).toBeVisible();
	await filterBox(page).fill('os:windows');
	await expect(pinned.getByText('changed')).toBeVisible();
	await pinned.getByRole('button', { name: 'Show again' }).click();
	await expect(filterBox(page)).toHaveValue('os:windows compromised:yes');

	await page.getByRole('button', { name: 'Views' }).click();
	await page.getByRole('menuitem', { name: /^Rename, pin or delete/ }).click();
	await dialog(page).getByRole('button', { name: 'Delete the view' }).click();
	await expect(pinned).toBeHidden();
	await expect(filterBox(page)).toHaveValue('');
});

test('tags and roles are given to a selection, stand in rows and facets, and outlive a reading', async ({ page }) => {
	await listIsRead(page);
	await filterBox(page).fill('name:FIN-LT-');
	await filterBox(page).press('Enter');
	await expect(rows(page).first()).toHaveAccessibleName(/^FIN-LT-/);
	await page.keyboard.press('j');
	await page.keyboard.press('x');
	await page.keyboard.press('j');
	await page.keyboard.press('x');
	await expect(page.getByText('2 selected')).toBeVisible();
	await page.keyboard.press('l');
	await expect(dialog(page)).toBeVisible();
	const tag = dialog(page).getByRole('combobox', { name: 'Tag' });
	await tag.fill('Tier 0, main');
	await expect(dialog(page).getByText('A tag has no quotation mark, comma or asterisk.')).toBeVisible();
	await tag.fill('Tier 0');
	await dialog(page).getByText('Jump host').click();
	await dialog(page).getByRole('button', { name: 'Give to all' }).click();
	await expect(dialog(page)).toBeHidden();
	await filterBox(page).fill('tag:tier role:jump');
	await expect(counted(page)).toHaveText(/^2 of the 300/);
	await page.getByRole('button', { name: 'Refresh', exact: true }).click();
	await expect(counted(page)).toHaveText(/^2 of the 300/);
	await filterBox(page).fill('');
	await expect(facet(page, 'Tags', /^Tier 0/)).toHaveText(/2$/);

	// One of them loses it again; the frozen list is given up first.
	await facet(page, 'Tags', /^Tier 0/).click();
	await page.getByRole('button', { name: 'Clear the selection' }).click();
	await rows(page).first().click();
	await page.keyboard.press('l');
	await dialog(page).getByRole('button', { name: 'Remove the tag Tier 0' }).click();
	await dialog(page).getByRole('button', { name: 'Save' }).click();
	await expect(counted(page)).toHaveText(/^1 of the 300/);
	// The dialog took the place of the one that read the computer: the focus is back at the rows all the same.
	await expect(page.getByRole('grid', { name: 'Computers' })).toBeFocused();
	await filterBox(page).fill('role:jump');
	await filterBox(page).press('Enter');
	await expect(counted(page)).toHaveText(/^2 of the 300/);
	await page.keyboard.press('Control+a');
	await expect(page.getByText('2 selected')).toBeVisible();
	await page.keyboard.press('l');
	await dialog(page).getByText('Jump host').click();
	await dialog(page).getByRole('combobox', { name: 'Tag' }).fill('tier 0');
	await dialog(page).getByRole('button', { name: 'Take from all' }).click();
	await expect(page.getByText('No computer matches')).toBeVisible();
});

test('a guess of a role is told as one and never given', async ({ page }) => {
	await listIsRead(page);
	await page.getByRole('button', { name: 'Asset hygiene' }).click();
	await page.getByRole('menuitem', { name: /^Probably important, no role given/ }).click();
	await expect(rows(page).first()).toBeVisible();
	await rows(page).first().click();
	await page.keyboard.press('Space');
	const panel = page.getByRole('complementary', { name: 'Computer at the cursor' });
	await expect(panel.getByText(/^probably .*\(a guess\)$/)).toBeVisible();
	await panel.getByRole('button', { name: /^Tags and roles/ }).click();
	await expect(dialog(page).getByText('probably', { exact: true }).first()).toBeVisible();
	await expect(dialog(page).getByRole('checkbox', { checked: true })).toHaveCount(0);
});

test('hygiene views and others with the same name, by key', async ({ page }) => {
	await listIsRead(page);
	await computers(page).focus();
	await page.keyboard.press('h');
	await expect(page.getByRole('menuitem', { name: /^Not seen for 30 days/ })).toBeFocused();
	await page.getByRole('menuitem', { name: /^Same name as another computer/ }).click();
	await expect(filterBox(page)).toHaveValue('duplicate:yes');
	await expect(rows(page).first()).toContainText('duplicate');
	await rows(page).first().click();
	await page.keyboard.press('d');
	await expect(filterBox(page)).toHaveValue(/^(name|mac)=/);
	await expect(rows(page).nth(1)).toBeVisible();
});

test('the selection is read again for a price that is told first', async ({ page, service }) => {
	await listIsRead(page);
	await rows(page).first().click();
	await page.keyboard.press('x');
	await page.keyboard.press('Shift+ArrowDown');
	await expect(page.getByText('2 selected')).toBeVisible();
	await page.keyboard.press('.');
	await expect(page.getByRole('button', { name: 'Clear the selection' })).toBeFocused();
	const before = await callsForOne(service.requests());
	await page.getByRole('button', { name: 'Refresh selected…' }).click();
	await expect(dialog(page)).toContainText(/Each takes one API call, of which [\d,]+ are left/);
	await service.weather('GET /v1/computers/*=500,times:9');
	await dialog(page).getByRole('button', { name: 'Load them: 2 calls' }).click();
	await expect(dialog(page)).toContainText(/[01] of 2 loaded, [12] could not be loaded/);
	await service.weather();
	await dialog(page).getByRole('button', { name: 'Retry the failed ones' }).click();
	await expect(dialog(page)).toContainText(/of 2 loaded\./);
	expect(await callsForOne(service.requests())).toBeGreaterThan(before);
});

test('all matching rows and the selected ones are exported, with the filter in the first line', async ({ page }) => {
	await listIsRead(page);
	await filterBox(page).fill('name:FIN-LT-');
	await filterBox(page).press('Enter');
	await expect(counted(page)).toBeVisible();
	const count = Number(/^\d+/.exec(await counted(page).innerText())?.[0]);
	await page.keyboard.press('e');
	const csv = await fileOf(page, 'CSV');
	expect(csv.name).toMatch(/^computers-\d{4}-\d\d-\d\d\.csv$/);
	const lines = csv.text.trimEnd().split('\r\n');
	expect(lines[0]).toMatch(/^"Computers of Test tenant, .*filter name:FIN-LT-, \d+ rows, complete"$/);
	expect(lines[1]).toBe('Name,Group,Operating system,Address,Last seen,Isolation');
	expect(lines).toHaveLength(count + 2);
	await rows(page).first().click();
	await page.keyboard.press('x');
	await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Export…' }).click();
	const json = await fileOf(page, 'JSON Lines');
	const [head = '', record = '', ...rest] = json.text.trimEnd().split('\n');
	expect(JSON.parse(head)).toMatchObject({ export: { filter: null, rows: 1, partial: null } });
	expect(JSON.parse(record)).toHaveProperty('connector_guid');
	expect(rest).toEqual([]);
});

test('a computer is copied in the form that is chosen, by key and by pointer', async ({ page }) => {
	await listIsRead(page);
	await filterBox(page).fill('name:FIN-LT-0231');
	await rowOf(page, 'FIN-LT-0231').click();
	await page.keyboard.press('Shift+Y');
	const forms = dialog(page).getByRole('option');
	await expect(forms).toHaveText([/^GUID/, /^Name/, /^CSV/, /^Markdown/, /^JSON/, /^Defanged/, /^Command/]);
	await expect(forms.filter({ hasText: 'Defanged' })).toContainText(/FIN-LT-0231 .*\d\[\.\]\d/);
	await closeDialog(page, computers(page));
	await page.keyboard.press('Space');
	await page.getByRole('button', { name: /^Copy as/ }).click();
	await forms.filter({ hasText: 'Defanged' }).click();
	await expect(dialog(page)).toBeHidden();
	await expect(page.getByText('Defanged, for a ticket copied')).toBeAttached();
});

async function fileOf(page: Page, format: string): Promise<{ readonly name: string; readonly text: string }> {
	await dialog(page)
		.locator('label')
		.filter({ hasText: new RegExp(`^${format}(?! Lines)`) })
		.click();
	const download = page.waitForEvent('download');
	await dialog(page).getByRole('button', { name: 'Export' }).click();
	const file = await download;
	await expect(dialog(page)).toBeHidden();
	return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

async function callsForOne(requests: Promise<Readonly<Record<string, number>>>): Promise<number> {
	const counts = Object.entries(await requests).filter(([name]) => /^GET \/v1\/computers\/./.test(name));
	return counts.reduce((sum, [, count]) => sum + count, 0);
}
