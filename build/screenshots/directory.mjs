import {createHash} from 'node:crypto'

const detailsMs = 60_000

export async function showFileLists({page, go, picture, look, wide}) {
	await go('/file-lists')
	await detailsAreRead(page)
	await picture('file-lists')
	await wide('file-lists-wide')
	await page.getByRole('row', {name: /^Known bad files,/}).dblclick()
	const hashes = page.getByRole('grid', {name: 'Hashes'})
	await hashes
		.getByRole('row', {name: /^[0-9a-f]{64},/})
		.first()
		.click()
	await page.getByRole('complementary', {name: 'Hash at the cursor'}).waitFor()
	await picture('file-list')
	await wide('file-list-wide')
	await page.keyboard.press('Enter')
	await page.getByRole('region', {name: 'Lists that contain it'}).waitFor()
	await look('hash')
	await page.keyboard.press('Escape')
	await hashes.waitFor()
	await page.keyboard.press('a')
	await page.getByRole('dialog').getByRole('textbox', {name: 'SHA-256'}).fill('d41d8cd98f00b204e9800998ecf8427e')
	await look('file-list-add', ['light'])
	await page.keyboard.press('Escape')
	await page.getByRole('dialog').waitFor({state: 'hidden'})
	await page.keyboard.press('Shift+V')
	await page.getByText(/^Enforced on [\d,]+ of [\d,]+ computers/).waitFor()
	await picture('coverage')
	await wide('coverage-wide')
	await page.getByRole('tab', {name: 'Ages'}).click()
	await page.getByText('The service gives no date for a hash').waitFor()
	await look('ages', ['light'])
}

/** Hashes as in a report: of no file, of the wrong length, with and without a note. */
const pasted = [
	...Array.from({length: 6}, (_, index) => `${sha256(`loader ${index}`)} loader of the invoice, variant ${index + 1}`),
	sha256('without a note'),
	`${sha256('loader 1')} the second time`,
	'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
	'da39a3ee5e6b4b0d3255bfef95601890afd80709 a SHA-1'
]

function sha256(text) {
	return createHash('sha256').update(text).digest('hex')
}

/** Discards the draft at the end. */
export async function showEditor({page, go, picture, look, wide}) {
	await go('/file-lists')
	await detailsAreRead(page)
	await page.getByRole('row', {name: /^Linux miners,/}).dblclick()
	await page.getByText(/hashes · loaded/).waitFor()
	await page.keyboard.press('Shift+E')
	await page.getByRole('heading', {name: 'Edit Linux miners', level: 1}).waitFor()
	await look('file-list-editor-before')
	await page.evaluate(text => {
		const clipboardData = new DataTransfer()
		clipboardData.setData('text/plain', text)
		document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}))
	}, pasted.join('\n'))
	const dialog = page.getByRole('dialog')
	await look('file-list-editor-stage')
	await dialog.getByRole('button', {name: /^Stage \d+ rows to add/}).click()
	await dialog.waitFor({state: 'hidden'})
	await page
		.getByRole('grid', {name: 'Staged rows'})
		.getByRole('row', {name: /refused/})
		.first()
		.waitFor()
	await picture('file-list-editor')
	await wide('file-list-editor-wide')
	await page.keyboard.press('Control+s')
	await dialog.getByRole('textbox', {name: 'Reason'}).fill('Loader of the invoice, ticket 4711')
	await look('file-list-editor-commit')
	await page.keyboard.press('Escape')
	await dialog.waitFor({state: 'hidden'})
	await page.keyboard.press('Control+Backspace')
	await look('file-list-editor-discard', ['light'])
	const sure = page.getByRole('alertdialog')
	await sure.getByRole('button', {name: /^Discard \d/}).click()
	await sure.waitFor({state: 'hidden'})
}

export async function showGroups({page, go, picture, look, wide}) {
	await go('/groups')
	await detailsAreRead(page)
	const tree = page.getByRole('treegrid', {name: 'Groups'})
	await look('groups-tree', ['light'])
	await jump(page, tree, 'finance laptops')
	await page.keyboard.press('Enter')
	const members = page.getByRole('complementary', {name: 'Group at the cursor'}).getByRole('grid')
	await members
		.getByRole('row', {name: /isolation:/})
		.first()
		.waitFor()
	await picture('groups')
	await wide('groups-wide')
	await members.focus()
	await page.keyboard.press('m')
	const dialog = page.getByRole('dialog')
	await dialog.getByRole('combobox', {name: /To the group/}).fill('Radiology Servers')
	await page.getByRole('option', {name: /Radiology Servers/}).click()
	await dialog.getByText(/Protect → Server/).waitFor()
	await look('groups-move')
	await page.keyboard.press('Escape')
	await dialog.waitFor({state: 'hidden'})
	await jump(page, tree, 'legal')
	await page.keyboard.press('o')
	await dialog.getByRole('button', {name: /Windows/}).click()
	await page.getByRole('option', {name: 'Triage'}).click()
	await dialog.getByRole('region', {name: 'Before and after'}).getByLabel('gained').first().waitFor()
	await picture('groups-assign')
	await page.keyboard.press('Escape')
	await dialog.waitFor({state: 'hidden'})
	await tree.focus()
	await page.keyboard.press('Shift+Enter')
	await page.getByRole('heading', {name: 'Legal', level: 1}).waitFor()
	await look('group')
	await go('/groups')
	await tree.getByRole('row', {name: /^Finance Servers,/}).waitFor()
	await jump(page, tree, 'finance servers')
	await page.keyboard.press('x')
	await jump(page, tree, 'finance laptops')
	await page.keyboard.press('x')
	await look('groups-marked', ['light'])
	await page.keyboard.press('Shift+D')
	await page.getByRole('region', {name: 'What differs'}).getByRole('row').nth(3).waitFor()
	await picture('groups-compare')
	await wide('groups-compare-wide')
	await go('/groups?view=icicle')
	await page.getByRole('button', {name: /^Engineering: /}).focus()
	await page.keyboard.press('Enter')
	await page.getByRole('complementary', {name: 'Group at the cursor'}).waitFor()
	await look('groups-by-computers')
	await go('/groups?view=policies')
	await page.getByRole('button', {name: /Mark the policies that use the list/}).click()
	await page.getByRole('option', {name: /Remote administration tools/}).click()
	await page.getByText(/computers have a policy that uses it/).waitFor()
	await picture('groups-policies')
	await wide('groups-policies-wide')
}

async function jump(page, tree, name) {
	await tree.focus()
	await page.keyboard.press('f')
	await page.getByText('Jump to:').waitFor()
	await page.keyboard.type(name)
	await page.keyboard.press('Enter')
	await page.getByText('Jump to:').waitFor({state: 'hidden'})
}

export async function showPolicies({page, go, picture, look, wide}) {
	await go('/policies')
	await detailsAreRead(page)
	const list = page.getByRole('grid', {name: 'Policies', exact: true})
	const row = name => list.getByRole('row', {name: new RegExp(`^${name}, for Windows`)})
	await row('Server').click()
	await page.getByRole('complementary', {name: 'Policy at the cursor'}).waitFor()
	await picture('policies')
	await wide('policies-wide')
	await page.keyboard.press('Enter')
	await page.getByRole('grid', {name: 'Groups that use it'}).getByRole('row').nth(1).waitFor()
	await look('policy')
	await page.keyboard.press('2')
	await look('policy-lists', ['light'])
	await page.getByRole('tab', {name: 'XML'}).click()
	await page.getByRole('group', {name: 'Policy as XML'}).waitFor()
	await look('policy-xml')
	await go('/policies')
	await row('Protect').click()
	await page.keyboard.press('x')
	await row('Server').click()
	await page.keyboard.press('x')
	await page.keyboard.press('Shift+D')
	await page.getByRole('heading', {name: 'Compare two policies'}).waitFor()
	await look('policies-compare')
	await go('/policies?view=groups')
	await page.getByRole('grid', {name: 'Groups and their policies'}).getByRole('row').nth(2).waitFor()
	await picture('policies-matrix')
	await wide('policies-matrix-wide')
	await go('/policies?view=lists')
	await page.getByRole('grid', {name: 'Policies and file lists'}).getByRole('row').nth(2).waitFor()
	await picture('policies-lists')
	await wide('policies-lists-wide')
}

async function detailsAreRead(page) {
	await page.getByRole('main').getByText('all details loaded').waitFor({timeout: detailsMs})
}
