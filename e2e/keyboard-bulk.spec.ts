/** Bulk work and the editor of file lists by keyboard: no test here uses the mouse. Names are what a screen reader says. */
import { expect, test } from './house.ts';
import { confirmButton, counts, receipts } from './jobs.ts';
import { computers, dialog, filterBox, listIsRead, tabTo } from './screens.ts';

// Computers are isolated: in a house of its own, where no other job counts for the guard rules.
test.use({ houseName: 'keyboard-bulk' });

test('computers are selected, isolated as a job, looked at one by one, and released', async ({ page }) => {
	await listIsRead(page);
	await page.keyboard.press('/');
	await page.keyboard.type('name:HR-WS- isolation:not_isolated last_seen<1h');
	await page.keyboard.press('Enter');
	await expect(filterBox(page)).toHaveValue(/HR-WS/);
	await expect(computers(page).getByRole('row').nth(1)).toHaveAccessibleName(/^HR-WS-\d+, .*isolation: not isolated/);
	await tabTo(page, computers(page));
	for (const key of ['Home', 'x', 'Shift+ArrowDown']) await page.keyboard.press(key);
	await expect(page.getByText('2 selected')).toBeVisible();

	await page.keyboard.press('i');
	await expect(dialog(page).getByRole('textbox', { name: 'Reason' })).toBeFocused();
	await page.keyboard.type('Beaconing');
	await tabTo(page, dialog(page).getByRole('button', { name: 'Create plan' }));
	await page.keyboard.press('Enter');
	await expect(dialog(page).getByRole('row', { name: /^HR-WS-\d+, not isolated/ })).toHaveCount(2);
	await expect(confirmButton(page)).not.toBeFocused();
	await tabTo(page, confirmButton(page));
	await page.keyboard.press('Enter');
	await expect(counts(page)).toHaveText('●2 done', { timeout: 30_000 });
	await expect(dialog(page).getByRole('progressbar', { name: 'Ended targets' })).toHaveAttribute(
		'aria-valuetext',
		'2 done',
	);
	await tabTo(page, dialog(page).getByRole('link', { name: 'Open the job' }));
	await page.keyboard.press('Enter');

	await expect(receipts(page).getByRole('row', { name: /^HR-WS-\d+, done/ })).toHaveCount(2);
	const labels = await receipts(page)
		.getByRole('row', { name: /^HR-WS-\d+, done/ })
		.evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
	await tabTo(page, page.getByRole('button', { name: '2 done' }));
	await page.keyboard.press('Space');
	await expect(page).toHaveURL(/outcomes=/);
	await tabTo(page, receipts(page));
	await page.keyboard.press('Home');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^HR-WS-/);

	for (const key of ['g', 'c']) await page.keyboard.press(key);
	// The selection ended with its job.
	await expect(page.getByRole('group', { name: 'Selection' })).toBeHidden();
	for (const label of labels) {
		await page.keyboard.press('/');
		await page.keyboard.press('Control+a');
		await page.keyboard.type(`name=${label.split(',')[0]}`);
		await page.keyboard.press('Enter');
		await expect(computers(page).getByRole('row').nth(1)).toHaveAccessibleName(new RegExp(`^${label.split(',')[0]}, `));
		await expect(computers(page)).toBeFocused();
		for (const key of ['Home', 'x']) await page.keyboard.press(key);
	}
	await expect(page.getByText('2 selected', { exact: true })).toBeVisible();
	await page.keyboard.press('u');
	await expect(dialog(page).getByRole('textbox', { name: 'Reason' })).toBeFocused();
	await page.keyboard.type('Host is clean');
	await tabTo(page, dialog(page).getByRole('button', { name: 'Create plan' }));
	await page.keyboard.press('Enter');
	await expect(confirmButton(page)).toBeVisible();
	await tabTo(page, confirmButton(page));
	await page.keyboard.press('Enter');
	await expect(counts(page)).toHaveText('●2 done', { timeout: 30_000 });
});

test('a hash is typed, staged, looked through and committed', async ({ page }) => {
	const hash = 'ba5eba11'.repeat(8);
	await listIsRead(page);
	for (const key of ['g', 'f']) await page.keyboard.press(key);
	const lists = page.getByRole('grid', { name: 'Simple custom detections' });
	await tabTo(page, lists);
	await page.keyboard.press('Home');
	await page.keyboard.press('Enter');
	await expect(page.getByText(/hashes · loaded/)).toBeVisible({ timeout: 20_000 });
	await page.keyboard.press('Shift+E');
	await expect(page.getByRole('group', { name: 'Commit' })).toContainText('staged');
	await page.keyboard.press('a');
	await expect(dialog(page).getByRole('textbox').first()).toBeFocused();
	await page.keyboard.type(hash);
	await tabTo(page, dialog(page).getByRole('button', { name: 'Stage 1 row to add' }));
	await page.keyboard.press('Enter');
	await expect(page.getByRole('row', { name: new RegExp(`^${hash}, add, ready`) })).toBeVisible();
	await page.keyboard.press('Control+s');
	await expect(dialog(page).getByRole('textbox', { name: 'Reason' })).toBeFocused();
	await page.keyboard.type('case 7');
	await tabTo(page, dialog(page).getByRole('button', { name: 'Check and plan' }));
	await page.keyboard.press('Enter');
	const commit = dialog(page).getByRole('button', { name: /^Commit 1 change to / });
	await tabTo(page, commit);
	await page.keyboard.press('Enter');
	await expect(dialog(page).getByRole('status').filter({ hasText: ' in all' })).toContainText('1 done, 1 in all', {
		timeout: 30_000,
	});
});
