/** Hashes: one that was seen is blocked and unblocked, and two hundred of all kinds are put on a list. */
import {createHash} from 'node:crypto'

import {counts} from '../jobs.ts'
import {
	button,
	dialog,
	dialogIsGone,
	dialogSays,
	field,
	grid,
	group,
	heading,
	link,
	listIsRead,
	option,
	reasonOf,
	region,
	tab,
	tableRow,
	tenant,
	screenIs,
	shows,
	isShown,
	isFocused,
	says
} from '../screens.ts'
import {openPalette} from './one-computer.ts'
import {timesIn} from './state.ts'
import {expect, task} from './task.ts'
import {askService, type SandboxProcess} from '../processes.ts'

const blockList = 'Known bad files'

/** The hash of the program that the attack of the sandbox drops. */
async function droppedHash(service: SandboxProcess) {
	interface Event {
		file?: {file_name?: string; identity?: {sha256?: string}}
	}
	const events = await askService<readonly Event[]>(service, 'events?limit=500')
	const found = events.find(({file}) => file?.file_name === 'updchk.exe')
	return found?.file?.identity?.sha256 ?? 'none'
}

/** The hashes of a list as the service has them. */
async function hashesOn(service: SandboxProcess, name: string) {
	interface List {
		name: string
		guid: string
	}
	const lists = await askService<readonly List[]>(service, `file_lists/simple_custom_detections?name=${encodeURIComponent(name)}`)
	const guid = lists.find(list => list.name === name)?.guid ?? 'none'
	const read: string[] = []
	for (;;) {
		const page = await askService<{items: {sha256: string}[]}>(service, `file_lists/${guid}/files?limit=500&offset=${read.length}`)
		if (page.items.length === 0) return read
		read.push(...page.items.map(({sha256}) => sha256))
	}
}

task.describe(() => {
	task.use({limits: {block: {clicks: 4}}})

	task('2 find who saw a hash, block it, check who enforces it, undo', async ({page, hand, service, app}) => {
		await listIsRead(page)
		const hash = await droppedHash(service)
		await openPalette(page, hand)
		await hand.paste(hash)
		await hand.click(option(page, /^Search everything for/))
		await hand.click(button(group(page, /^Which computers have seen/), /^Query/))
		const seen = grid(page, 'Matching computers')
		await isShown(tableRow(seen, /FIN-SRV-014/))
		hand.leg('find who saw it')

		await hand.click(link(page, 'Block…'))
		await isFocused(reasonOf(page))
		await hand.say('INC-7, dropper')
		await hand.click(button(dialog(page), /List/))
		await hand.click(option(page, new RegExp(blockList)))
		await hand.click(button(dialog(page), new RegExp(` on ${blockList} in ${tenant}$`)))
		await dialogIsGone(page)
		hand.leg('block')
		expect(await hashesOn(service, blockList)).toContain(hash)
		expect(await timesIn(app, 'svc_set_file_list_files_by_sha')).toBe(1)

		await hand.click(link(region(page, 'Lists that contain it'), blockList))
		await isShown(region(page, `On ${blockList}`))
		await hand.click(link(page, `Back to ${blockList}`))
		await screenIs(page, blockList)
		await hand.click(tab(page, 'Coverage'))
		await shows(page, /^Enforced on \d+ of 300 computers/)
		await isShown(page.getByRole('table', {name: 'All computers by what they enforce'}))
		hand.leg('check who enforces it')

		await hand.click(button(page, 'Undo…'))
		await dialogSays(page, 'Will be sent: 1 change')
		await hand.click(button(dialog(page), `Undo change in ${tenant}`))
		await isShown(heading(dialog(page), 'Change undone'))
		hand.leg('undo')
		expect(await hashesOn(service, blockList)).not.toContain(hash)
		expect(await timesIn(app, 'svc_delete_file_list_files_by_sha')).toBe(1)
	})
})

/** From 40 digits on, a hash by its length. */
const fresh = (index: number, algorithm: 'sha256' | 'sha1' | 'md5') => createHash(algorithm).update(`mixed ${index}`).digest('hex')
const several = (count: number, of: (index: number) => string) => Array.from({length: count}, (_, index) => of(index))

task('6 put 200 mixed hashes on a list', async ({page, hand, service, app}) => {
	await listIsRead(page)
	const before = await hashesOn(service, blockList)
	const wanted = several(160, index => fresh(index, 'sha256'))
	const pasted = [
		...wanted,
		...wanted.slice(0, 10).map(hash => hash.toUpperCase()),
		...before.slice(0, 10),
		...several(10, index => fresh(index, 'sha1')),
		...several(10, index => fresh(index, 'md5'))
	]
	await hand.click(link(page, /^File lists/))
	await hand.click(tableRow(page, new RegExp(`^${blockList},`)))
	await hand.press('Enter')
	await shows(page, /hashes · loaded/)
	await hand.press('Shift+E')
	await says(group(page, 'Commit'), 'staged')
	await hand.paste(pasted.join('\n'))
	await hand.click(button(dialog(page), /^Stage [\d,]+ rows? to /))
	await dialogIsGone(page)
	hand.leg('stage')
	await hand.press('Control+s')
	await isFocused(reasonOf(page))
	await hand.say('Threat feed of November')
	await hand.click(button(dialog(page), 'Check and plan'))
	await isFocused(field(dialog(page), 'Type the number of targets: 160'))
	await hand.type('160')
	await hand.click(button(dialog(page), /^Commit 160 changes/))
	await expect(counts(page)).toHaveText('●160 done', {timeout: 60_000})
	hand.leg('commit')
	expect((await hashesOn(service, blockList)).toSorted()).toEqual([...before, ...wanted].toSorted())
	expect(await timesIn(app, 'svc_set_file_list_files_by_sha')).toBe(160)
})
