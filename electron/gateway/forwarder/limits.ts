import type {ServerLimits} from './types.ts'

/** Route description, 3.5, and what browsers and firewalls need. */
export const defaultLimits: ServerLimits = {
	connections: 2000,
	connectionsPerAddress: 100,
	requestsPerConnection: 1000,
	headBytes: 65_536,
	targetBytes: 16_384,
	fields: 2000,
	headMs: 10_000,
	handshakeMs: 10_000,
	keepAliveMs: 65_000,
	bodyGraceMs: 20_000,
	stallMs: 60_000,
	minTakeRate: 240,
	lingerMs: 2_000,
	chunkOverheadBytes: 16_384,
	streams: 100,
	resetsPer10s: 100
}
