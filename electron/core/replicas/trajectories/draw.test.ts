import {readFileSync} from 'node:fs'

import fc from 'fast-check'
import {parseExact} from '#model/exact-json.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {draw, oldestFirst} from './trajectories.ts'
import type {TrajectoryRecord} from './record.ts'
import {computed} from '#base/testing/cpu.ts'

const hash = (letter: string) => letter.repeat(64)
const reading = {guid: 'g', hostname: 'H', query: '', readAt: '2026-01-01T00:00:00.000Z', cut: false}

function drawn(...events: TrajectoryRecord[]) {
	return draw(reading, oldestFirst(events, 1_700_000_000))
}

interface FileFacts {
	name?: string
	disposition?: string
	parent?: string
}

function ran(at: number, sha256: string, {name, disposition = 'Clean', parent}: FileFacts = {}): TrajectoryRecord {
	return {
		timestamp: at,
		event_type: 'Executed by',
		file: {
			disposition,
			identity: {sha256},
			...omitUndefined({file_name: name}),
			...(parent === undefined ? {} : {parent: {disposition: 'Clean', identity: {sha256: parent}}})
		}
	}
}

/** Real responses of the service, anonymised by their publishers; see the README beside them. */
function sample(name: string) {
	const path = new URL(`../../../sandbox/fixtures/${name}`, import.meta.url)
	const answer = parseExact(readFileSync(path, 'utf8')) as unknown as {data: {events: TrajectoryRecord[]}} // the form of the sample
	return answer.data.events
}

describe('lanes', () => {
	test('a file is one lane under its most frequent name, and keeps the others', () => {
		const {lanes} = drawn(
			ran(3, hash('a'), {name: 'tasksche.exe'}),
			ran(2, hash('A'), {name: 'tasksche.exe'}),
			ran(1, hash('a'), {name: 'qeriuwjhrf'})
		)
		expect(lanes).toMatchObject([{id: hash('a'), label: 'tasksche.exe', names: ['qeriuwjhrf'], events: 3}])
	})

	test('a file without a name is called by its hash, and what has no hash is the system', () => {
		const {lanes} = drawn(ran(2, hash('b')), {timestamp: 1, event_type: 'Created by', file: {file_name: 'x'}})
		expect(lanes.map(({label}) => label)).toEqual(['system', 'bbbbbbbb…'])
	})

	test('a lane is as bad as the worst of its events, and the parents of bad ones stay', () => {
		const {lanes} = drawn(
			ran(3, hash('c'), {disposition: 'Malicious', parent: hash('b')}),
			ran(2, hash('b'), {parent: hash('a')}),
			ran(1, hash('a'))
		)
		const facts = lanes.map(({id, disposition, keeps}) => [id[0], disposition, keeps])
		expect(facts).toEqual([
			['b', 'clean', true],
			['c', 'malicious', true],
			['a', 'clean', false]
		])
	})

	test('events of one detection are on one lane, also those that name no file', () => {
		const {points} = drawn(
			{timestamp: 2, event_type: 'Threat Quarantined', event_type_id: 553648143, detection_id: '7'},
			{...ran(1, hash('d')), event_type: 'Threat Detected', event_type_id: 1090519054, detection_id: '7'}
		)
		expect(points.map(({lane, shape, detectionId}) => [lane[0], shape, detectionId])).toEqual([
			['d', 'detect', '7'],
			['d', 'quarantine', '7']
		])
	})
})

describe('events', () => {
	test('are in the order of seconds and nanoseconds, and a missing time keeps its place', () => {
		const named = (name: string, more: TrajectoryRecord) => ({event_type: name, ...more})
		const {points, oldest} = drawn(
			named('late', {timestamp: 11, timestamp_nanoseconds: 2}),
			named('no time', {}),
			named('early', {timestamp: 11, timestamp_nanoseconds: 1}),
			named('by its date', {date: '1970-01-01T00:00:10.5+00:00'})
		)
		expect(points.map(({type}) => type)).toEqual(['by its date', 'early', 'no time', 'late'])
		expect(oldest).toBe('1970-01-01T00:00:10.500Z')
	})

	test('of unknown types are drawn as system events and counted', () => {
		const {points, unknown} = drawn(
			{timestamp: 1, event_type: 'Dreamt by'},
			{timestamp: 2, event_type: 'Dreamt by'},
			{timestamp: 3, event_type_id: 553648999},
			{timestamp: 4, event_type: 'Policy Update', event_type_id: 553648130}
		)
		expect(points.map(({shape}) => shape)).toEqual(['system', 'system', 'system', 'system'])
		expect(unknown).toEqual([
			{type: 'Dreamt by', count: 2},
			{type: 'Event 553648999', count: 1}
		])
	})

	test('of the network show who talked to whom; an unspecified address shows nothing', () => {
		const call = (network: TrajectoryRecord) => ({
			timestamp: 2,
			event_type: 'NFM',
			file: {file_path: '/usr/bin/x'},
			network_info: {parent: {disposition: 'Malicious', identity: {sha256: hash('e')}}, ...network}
		})
		const out = {nfm: {direction: 'Outgoing connection from', protocol: 'TCP'}}
		const {points} = drawn(
			call({...out, remote_ip: '198.51.100.17', remote_port: 443, dirty_url: 'http://a.example/x'}),
			call({nfm: {direction: 'Incoming connection from'}, remote_ip: '2001:db8::1', remote_port: 22}),
			call({remote_ip: '0.0.0.0', remote_port: 0, local_ip: '0.0.0.0'}),
			ran(1, hash('e'), {name: 'curl'})
		)
		const calls = points.filter(({lane}) => lane === 'network')
		expect(calls.map(({text}) => text).toSorted()).toEqual([
			'[2001:db8::1]:22 connected to curl',
			'curl and an unknown address exchanged data',
			'curl connected to 198.51.100.17:443 over TCP: http://a.example/x'
		])
		expect(calls.every(({disposition, parent}) => disposition === 'malicious' && parent === hash('e'))).toBe(true)
	})

	test('show their command line, as a text or as a list', () => {
		const line = (args: unknown) => drawn({...ran(1, hash('a'), {name: 'sh'}), command_line: {arguments: args}}).points[0]?.text
		expect(line('sh -c id')).toBe('sh was started by an unknown process: sh -c id')
		expect(line(['sh', '-c', 'id -u'])).toBe('sh was started by an unknown process: sh -c "id -u"')
		expect(line(7n)).toBe('sh was started by an unknown process: 7')
	})

	test('an unknown word for a disposition is not clean', () => {
		const held = (word: string) => drawn(ran(1, hash('a'), {disposition: word})).points[0]?.disposition
		expect(['Blacklisted', 'Blocklisted', 'Clean', 'Sparkling', ''].map(held)).toEqual(['blocked', 'blocked', 'clean', 'unknown', 'none'])
	})
})

test.each(['computer_trajectory.json', 'computer_trajectory_network_2018.json'])('%s is drawn whole', name => {
	const events = sample(name)
	const {points, lanes, unknown} = drawn(...events)
	expect(points).toHaveLength(events.length)
	expect(points.length).toBeGreaterThan(0)
	expect(lanes.reduce((sum, lane) => sum + lane.events, 0)).toBe(events.length)
	expect(unknown).toEqual([])
})

test('no event is ever lost, whatever its content', () => {
	const record = fc.dictionary(
		fc.constantFrom('timestamp', 'timestamp_nanoseconds', 'date', 'event_type', 'event_type_id', 'file', 'network_info', 'id'),
		fc.oneof(fc.jsonValue(), fc.integer(), fc.bigInt(), fc.constant({identity: {sha256: hash('f')}, parent: 3}))
	)
	fc.assert(
		fc.property(fc.array(record), events => {
			const {points, lanes} = drawn(...events)
			const times = points.map(({at, nanoseconds}) => Math.floor(Date.parse(at) / 1000) * 1e9 + nanoseconds)
			expect(points.map(({index}) => index)).toEqual(events.map((_event, index) => index))
			expect(times).toEqual(times.toSorted((a, b) => a - b))
			expect(new Set(points.map(({lane}) => lane))).toEqual(new Set(lanes.map(({id}) => id)))
		}),
		{numRuns: 200}
	)
})

test('5,000 events are drawn quickly', () => {
	const events = Array.from({length: 5000}, (_, at) =>
		ran(at, hash((at % 16).toString(16)), {name: `p${at % 16}.exe`, parent: hash(((at * 7) % 16).toString(16))})
	).toReversed()
	const {ms, result} = computed(() => drawn(...events))
	expect(result.points).toHaveLength(5000)
	expect(ms).toBeLessThan(300)
})
