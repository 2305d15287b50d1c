import {coverageOf, waysOf} from './coverage.ts'
import type {JsonRecord, Kind, StoredObject} from './objects.ts'
import {previewOf} from './preview.ts'
import {productOfSystem} from './products.ts'
import {snapshotOf} from './snapshot.ts'
import {treeOf} from './tree.ts'
import type {ComputerCell} from './types.ts'

const scd = 'simple_custom_detections'

function object(kind: Kind, brief: JsonRecord, detail: JsonRecord | null = null): StoredObject {
	const guid = String(brief['guid'])
	const rest = {listed: true, briefAt: 1, stale: false, problem: null, vanishedAt: null}
	return {kind, guid, brief, detail: detail === null ? null : {...brief, ...detail}, detailAt: detail === null ? null : 2, ...rest}
}

function policy(guid: string, product: string, lists: string[] | null) {
	const detail = lists === null ? null : {file_lists: lists.map(list => ({guid: list, name: list, type: scd})), used_in_groups: []}
	return object('policy', {guid, name: guid.toUpperCase(), product}, detail)
}

function group(guid: string, parent: string | null, policies: JsonRecord[] | null): StoredObject {
	const ancestry = parent === null ? {} : {ancestry: [{guid: parent, name: parent}]}
	return object('group', {guid, name: guid, ...ancestry}, policies === null ? null : {policies})
}

function cell(groupGuid: string, policyGuid: string, os: string, computers: number): ComputerCell {
	return {groupGuid, groupName: groupGuid, policyGuid, os, computers, compromised: 0, isolated: 0}
}

const main = object('list', {guid: 'main', name: 'Main', type: scd})

function covered(objects: StoredObject[], cells: ComputerCell[], complete = true) {
	const snapshot = snapshotOf([main, ...objects])
	const list = snapshot.lists.get('main')
	if (list === undefined) throw new Error('The list is missing.')
	const coverage = coverageOf(snapshot, list, cells, complete)
	return {coverage, parts: Object.fromEntries(coverage.parts.map(({kind, computers}) => [kind, computers]))}
}

test('data that is not loaded is unknown, and says so', () => {
	const {coverage, parts} = covered(
		[policy('a', 'windows', ['main']), policy('b', 'windows', null)],
		[cell('g', 'a', 'Windows 10', 5), cell('g', 'b', 'Windows 10', 3), cell('g', 'strange', 'Windows 10', 2)],
		false
	)
	expect(parts).toEqual({enforced: 5, unknown: 5})
	expect(coverage.uncertain).toBe(
		'The listing of computers was not read to its end, so that all numbers are at least. ' +
			'The details of 1 of 2 policies have not been read yet. Computers name 1 policy that the service did not list.'
	)
	expect(coverage.parts.find(({kind}) => kind === 'unknown')?.filter).toBe('policy:b,strange')
})

test('the list itself shows who uses it before the policies are loaded', () => {
	const known = object('list', {guid: 'main', name: 'Main', type: scd}, {policies: [{guid: 'a', name: 'A'}]})
	const {parts} = covered(
		[known, policy('a', 'windows', null), policy('b', 'windows', null)],
		[cell('g', 'a', 'Windows 10', 5), cell('g', 'b', 'Windows 10', 3)]
	)
	expect(parts).toEqual({enforced: 5, unknown: 3})
})

test('a computer that names no policy goes by its group and its operating system', () => {
	const {coverage, parts} = covered(
		[policy('a', 'windows', ['main']), group('g', null, [{guid: 'a', name: 'A', product: 'windows', inherited: false}]), group('h', null, null)],
		[cell('g', '', 'Windows Server 2019', 7), cell('g', '', 'Ubuntu 22.04', 4), cell('h', '', 'Windows 10', 2), cell('g', '', 'BeOS', 1)]
	)
	expect(parts).toEqual({enforced: 7, no_policy: 4, unknown: 3})
	expect(coverage.ways).toEqual([{policy: {guid: 'a', name: 'A', product: 'windows'}, group: {guid: 'g', name: 'g'}, computers: 7}])
	// No filter selects these computers without a policy.
	expect(coverage.parts.map(({filter}) => filter)).toEqual([null, null, null])
})

test('parts sum up to all computers', () => {
	const {coverage} = covered(
		[policy('a', 'windows', ['main']), policy('b', 'windows', ['other']), policy('c', 'ios', []), policy('d', 'mac', [])],
		['a', 'b', 'c', 'd', 'e', ''].map((guid, index) => cell('g', guid, 'Windows 10', index + 1))
	)
	expect(coverage.parts.reduce((sum, {computers}) => sum + computers, 0)).toBe(21)
	expect(coverage.parts.map(({kind}) => kind)).toEqual(['enforced', 'other_list', 'no_list', 'product_without_list', 'unknown'])
})

test('a preview includes heirs, or where unknown, those with the policy', () => {
	const inherits = {guid: 'a', name: 'A', product: 'windows', inherited: true}
	const own = {...inherits, inherited: false}
	const snapshot = snapshotOf([
		policy('a', 'windows', ['main']),
		policy('b', 'windows', ['main', 'more']),
		group('root', null, [own]),
		group('heir', 'root', [inherits]),
		group('heir of heir', 'heir', [inherits]),
		group('own', 'root', [own]),
		group('below own', 'own', [inherits]),
		group('unread', 'root', null)
	])
	const cells = [
		...['root', 'heir', 'heir of heir', 'own', 'below own', 'unread'].map((guid, index) => cell(guid, 'a', 'Windows 10', 10 ** index)),
		cell('unread', 'b', 'Windows 10', 7),
		cell('root', '', 'Ubuntu', 7)
	]
	const preview = previewOf(snapshot, treeOf(snapshot.groups, cells, 0), cells, 'root', new Map([['windows', 'b']]))
	expect(preview).toEqual({
		group: {guid: 'root', name: 'root'},
		computers: 100_111,
		products: [
			{
				product: 'windows',
				before: {guid: 'a', name: 'A'},
				after: {guid: 'b', name: 'B'},
				listsGained: [{guid: 'more', name: 'more'}],
				listsLost: [],
				computers: 100_111
			}
		],
		calls: 1
	})
})

test('setting what is set already changes nothing and costs nothing', () => {
	const own = {guid: 'a', name: 'A', product: 'windows', inherited: false}
	const snapshot = snapshotOf([policy('a', 'windows', []), group('root', null, [own])])
	const cells = [cell('root', 'a', 'Windows 10', 3)]
	const preview = previewOf(snapshot, treeOf(snapshot.groups, cells, 0), cells, 'root', new Map([['windows', 'a']]))
	expect(preview).toMatchObject({computers: 0, calls: 0})
})

test.each([
	['Windows 10 (Build 19044.1466)', 'windows'],
	['OS X 10.14.6', 'mac'],
	['macOS 14.2', 'mac'],
	['Red Hat Enterprise Linux 9.2', 'linux'],
	['Rocky 9', 'linux'],
	['Android 13', 'android'],
	['iOS 17.1', 'ios'],
	['', ''],
	['BeOS', '']
])('%s belongs to %j', (os, product) => expect(productOfSystem(os)).toBe(product))

test('the computers of a group go to the policies that they report, most of them first', () => {
	const snapshot = snapshotOf([policy('a', 'windows', ['main']), policy('b', 'linux', null), group('g', null, null)])
	const cells = [
		cell('g', 'a', 'Windows 10', 5),
		cell('g', 'a', 'Windows 11', 2),
		cell('g', 'b', 'Ubuntu 24.04', 9),
		cell('g', 'nobody knows it', 'Windows 10', 4),
		cell('g', '', 'Windows 10', 1)
	]
	expect(waysOf(snapshot, cells)).toEqual([
		{policy: {guid: 'b', name: 'B', product: 'linux'}, group: {guid: 'g', name: 'g'}, computers: 9},
		{policy: {guid: 'a', name: 'A', product: 'windows'}, group: {guid: 'g', name: 'g'}, computers: 7}
	])
})
