import {randomBytes} from 'node:crypto'
import {mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {testFolder} from '#base/testing/folder.ts'
import {openSessions} from './sessions.ts'

const minute = 60_000
let profile: string
let now: number

beforeEach(() => {
	profile = testFolder()
	now = Date.UTC(2026, 0, 1)
})

function open() {
	return openSessions({profile, now: () => now, random: randomBytes})
}

test('a ticket counts once', () => {
	const sessions = open()
	const ticket = sessions.issueTicket()
	expect([sessions.redeem(ticket), sessions.redeem(ticket)]).toEqual([true, false])
})

test('a ticket counts for ten minutes', () => {
	const sessions = open()
	const [early, late] = [sessions.issueTicket(), sessions.issueTicket()]
	now += 10 * minute - 1
	expect(sessions.redeem(early)).toBe(true)
	now += 1
	expect(sessions.redeem(late)).toBe(false)
})

test('a session outlives the process', () => {
	const token = open().open('Firefox')
	expect(open().isSession(token)).toBe(true)
})

test('on a disk that takes nothing a browser enters until the console ends', () => {
	mkdirSync(join(profile, 'headless-sessions.json.new'))
	const sessions = open()
	const token = sessions.open('Firefox')
	expect(sessions.isSession(token)).toBe(true)
	const told: string[] = []
	sessions.onChange(({kind}) => told.push(kind))
	expect(() => sessions.end(sessions.idOf(token) ?? '')).toThrow('headless-sessions')
	expect([told, sessions.isSession(token)]).toEqual([['ended'], false])
})

test('a session that was ended on a full disk does not come back after a restart, nor does it end the others for good', () => {
	const sessions = open()
	const [mine, theirs] = [sessions.open('Firefox'), sessions.open('curl/8')]
	mkdirSync(join(profile, 'headless-sessions.json.new'))
	expect(() => sessions.end(sessions.idOf(theirs) ?? '')).toThrow('headless-sessions')
	expect([mine, theirs].map(sessions.isSession)).toEqual([true, false])
	expect(open().list()).toEqual([])
	rmdirSync(join(profile, 'headless-sessions.json.new'))
	sessions.open('Chrome')
	expect([mine, theirs].map(open().isSession)).toEqual([true, false])
})

test('a session ends after thirty days, also in a running process', () => {
	const sessions = open()
	const token = sessions.open('Firefox')
	now += 30 * 24 * 60 * minute
	expect(sessions.isSession(token)).toBe(false)
	expect(open().isSession(token)).toBe(false)
})

test('the file holds hashes only and belongs to its owner', () => {
	const token = open().open('Firefox')
	const file = join(profile, 'headless-sessions.json')
	expect(readFileSync(file, 'utf8')).not.toContain(token)
	if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a damaged file lets no one in and breaks nothing', () => {
	const token = open().open('Firefox')
	writeFileSync(join(profile, 'headless-sessions.json'), '[{"hash":')
	const sessions = open()
	expect(sessions.isSession(token)).toBe(false)
	expect(sessions.isSession(sessions.open('Firefox'))).toBe(true)
})

test('a code counts once, however it is typed, for ten minutes', () => {
	const sessions = open()
	const code = sessions.issueCode()
	expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
	const typed = ` ${code.toLowerCase().replace('-', ' ')}`
	expect([sessions.redeemCode(typed), sessions.redeemCode(code)]).toEqual([true, false])
	const late = sessions.issueCode()
	now += 10 * minute
	expect(sessions.redeemCode(late)).toBe(false)
})

test('five wrong codes end the right one', () => {
	const sessions = open()
	const code = sessions.issueCode()
	for (let wrong = 0; wrong < 4; wrong += 1) expect(sessions.redeemCode('XXXX-XXXX')).toBe(false)
	expect(sessions.redeemCode(code)).toBe(true)
	const other = sessions.issueCode()
	for (let wrong = 0; wrong < 5; wrong += 1) sessions.redeemCode('')
	expect([sessions.redeemCode(other), sessions.redeemCode(code)]).toEqual([false, false])
})

test('browsers can be listed and signed out', () => {
	const sessions = open()
	const told: string[] = []
	sessions.onChange(({kind, session}) => told.push(`${kind} ${session.agent}`))
	const [mine, theirs] = [sessions.open('Firefox'), sessions.open('curl/8')]
	const [newest, oldest] = sessions.list()
	expect([newest?.agent, oldest?.agent]).toEqual(['curl/8', 'Firefox'])
	expect(sessions.idOf(theirs)).toBe(newest?.id)
	sessions.end(newest?.id ?? '')
	expect([sessions.isSession(mine), sessions.isSession(theirs)]).toEqual([true, false])
	expect(open().list()).toEqual([oldest])
	expect(told).toEqual(['entered Firefox', 'entered curl/8', 'ended curl/8'])
	for (let other = 0; other < 50; other += 1) sessions.open('Chrome')
	expect([told.includes('ended Firefox'), sessions.isSession(mine)]).toEqual([true, false])
})
