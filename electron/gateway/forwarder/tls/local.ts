/** The local authority and its certificate as files: read, created when missing, renewed in time. */
import type {X509Certificate} from 'node:crypto'

import {CordonError} from '#contract/errors.ts'

import type {Credentials} from '../types.ts'
import {limitsOf, namesOf, spanOf} from './describe.ts'
import {type AuthorityFiles, fileNames} from './files.ts'
import {dayOf} from './imported.ts'
import type {Source} from './issue.ts'
import {constraintsFor, type Names, within} from './names.ts'
import {joinPair, type Pair, splitPair} from './pem.ts'

export interface Local {
	readonly authority: Pair | null
	/** Why an existing authority is unusable: it is never replaced without the operator. */
	readonly damage: string | null
	/** `null`: missing, or to be reissued anyway. */
	readonly server: Pair | null
}

export interface LocalContext {
	files: AuthorityFiles
	source: Source
	/** Names for the certificate, as far as the authority allows. */
	names: Names
	/** Required names. Own public addresses change, so they are not required. */
	asked: Names
	/** Part of a new authority's name. */
	host: string
}

const yearMs = 365 * 86_400_000

export const renewFix = 'Renew the certificate to make a new authority; every client must then import it in place of the old one.'

/** Reads, and creates what is missing. The authority is created only once; a damaged one stays unchanged. */
export async function ensureLocal(context: LocalContext): Promise<Local> {
	const found = readLocal(context.files)
	if (!isMissingAuthority(found) && !needsServer(found, context)) return found
	return context.files.locked(async () => {
		const now = readLocal(context.files)
		const authority = isMissingAuthority(now) ? await makeNew(context) : now.authority
		return finish(context, {...now, authority})
	})
}

/**
 * Issues a new certificate immediately, and a new authority when the present one is damaged, ends within a year, or does not
 * cover the requested names.
 */
export async function renewLocal(context: LocalContext): Promise<Local> {
	return context.files.locked(async () => {
		const {files, source} = context
		const found = readLocal(files)
		if (found.damage !== null && files.read(fileNames.authority) !== null) files.setAside(fileNames.authority, source.now)
		const keep = found.authority !== null && isLasting(found.authority, context)
		const authority = keep ? found.authority : await makeNew(context)
		return finish(context, {authority, damage: null, server: null})
	})
}

/** The problem for the operator, in a sentence. */
export function localProblem(local: Local, {asked, source: {now}}: LocalContext) {
	if (local.damage !== null) return `${local.damage} Restore it from a backup. Without one: ${renewFix}`
	if (local.authority === null) return null
	const {begin, end} = spanOf(local.authority.chain[0])
	if (now >= end) return `The local authority ended on ${dayOf(end)}. ${renewFix}`
	if (now < begin) return `The local authority is not valid before ${dayOf(begin)}: set this computer's clock right.`
	const {outside} = split(local.authority, asked)
	const names = [...outside.hostnames, ...outside.addresses]
	if (names.length > 0) {
		return `The local authority may not vouch for ${names.join(', ')}, so the certificate leaves that out. ${renewFix}`
	}
	return end - now < yearMs ? `The local authority ends on ${dayOf(end)}. ${renewFix}` : null
}

function readLocal(files: AuthorityFiles): Local {
	const text = files.read(fileNames.authority)
	const server = readServer(files)
	const name = fileNames.authority
	if (text === null) {
		const lost = files.read(fileNames.authorityCopy) !== null
		return {authority: null, server, damage: lost ? `${name}, the key of the local authority, is missing.` : null}
	}
	if (text === 'open') {
		const damage = `${name} is open to other users and was not used: if nobody had it, run chmod 600 ${files.path(name)}.`
		return {authority: null, server, damage}
	}
	const pair = splitPair(text)
	if (typeof pair === 'string') return {authority: null, server, damage: `${name} is damaged: it ${pair}.`}
	if (!pair.chain[0].ca) return {authority: null, server, damage: `${name} is damaged: it holds no authority.`}
	return {authority: pair, damage: null, server}
}

/** A damaged or exposed certificate is reissued. */
function readServer(files: AuthorityFiles) {
	const text = files.read(fileNames.server)
	const pair = text === null || text === 'open' ? null : splitPair(text)
	return typeof pair === 'string' ? null : pair
}

function isMissingAuthority(local: Local) {
	return local.authority === null && local.damage === null
}

async function finish(context: LocalContext, local: Local) {
	const {files, names, source} = context
	if (local.authority !== null) keepCopy(files, fileNames.authorityCopy, local.authority)
	if (!needsServer(local, context) || local.authority === null) return local
	const {end} = spanOf(local.authority.chain[0])
	if (source.now >= end) return local
	const {issueServer} = await import('./issue.ts')
	const server = await issueServer(local.authority, split(local.authority, names).inside, source)
	files.write(fileNames.server, joinPair(server))
	files.write(fileNames.serverCopy, server.certificate)
	return {...local, server: asPair(server)}
}

async function makeNew({files, host, names, source}: LocalContext) {
	const {makeAuthority} = await import('./issue.ts')
	const authority = await makeAuthority(host, constraintsFor(names), source)
	files.write(fileNames.authority, joinPair(authority))
	files.write(fileNames.authorityCopy, authority.certificate)
	return asPair(authority)
}

/** When it is from another authority, lacks a name, or has less than a third of its life left. */
function needsServer(local: Local, {names, source}: LocalContext) {
	if (local.authority === null) return false
	const [issuer] = local.authority.chain
	const leaf = local.server?.chain[0]
	if (leaf === undefined || !leaf.checkIssued(issuer) || !leaf.verify(issuer.publicKey)) return true
	if (!hasAll(leaf, split(local.authority, names).inside)) return true
	const {begin, end} = spanOf(leaf)
	if (source.now < begin) return true
	return end - source.now < (end - begin) / 3 && end < spanOf(issuer).end
}

function hasAll(leaf: X509Certificate, wanted: Names) {
	const has = namesOf(leaf)
	return wanted.hostnames.every(name => has.hostnames.includes(name)) && wanted.addresses.every(address => has.addresses.includes(address))
}

function isLasting(authority: Pair, {asked, source}: LocalContext) {
	const {begin, end} = spanOf(authority.chain[0])
	const {outside} = split(authority, asked)
	const covers = outside.hostnames.length === 0 && outside.addresses.length === 0
	return covers && source.now >= begin && end - source.now >= yearMs
}

function split(authority: Pair, names: Names) {
	const limits = limitsOf(authority.chain[0])
	return limits === null ? {inside: names, outside: {hostnames: [], addresses: []}} : within(names, limits)
}

/** Replaces a missing copy, or one of an older authority. */
function keepCopy(files: AuthorityFiles, name: 'ca.pem', pair: Pair) {
	if (files.read(name) !== pair.certificate) files.write(name, pair.certificate)
}

function asPair(credentials: Credentials) {
	const pair = splitPair(joinPair(credentials))
	if (typeof pair === 'string') throw new CordonError('internal', `A certificate that was just made ${pair}.`)
	return pair
}
