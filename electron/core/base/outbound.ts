/** The allowed addresses of a target, checked at connect: a name can resolve differently a moment later. */
import {lookup, type LookupAddress, type LookupOptions} from 'node:dns'
import {BlockList, isIP} from 'node:net'

const own = ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12']
const further = ['192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3']
const six = ['::/96', '64:ff9b::/96', '64:ff9b:1::/48', 'fc00::/7', 'fe80::/10', 'ff00::/8']

const inner = listOf([...own, ...further], 'ipv4')
const inner6 = listOf(six, 'ipv6')

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6') {
	const list = new BlockList()
	for (const network of networks) {
		const [base = '', bits] = network.split('/')
		list.addSubnet(base, Number(bits), family)
	}
	return list
}

/** Whether it is of this computer, private, link-local, or of no single computer. */
export function isInner(address: string) {
	const [plain = ''] = address.replace(/^\[(.*)\]$/, '$1').split('%')
	if (isIP(plain) === 4) return inner.check(plain, 'ipv4')
	const mapped = /^::ffff:(?:0:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
	if (mapped !== undefined) return inner.check(mapped, 'ipv4')
	return inner6.check(plain, 'ipv6') || inner.check(plain, 'ipv6')
}

export class RefusedAddress extends Error {
	constructor(host: string, address: string) {
		super(`${host} leads to ${address}, a private address of this network or computer: allow that for this target, if it is meant`)
	}
}

type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** For the `lookup` of a socket to this host. An address is never looked up: throws {@link RefusedAddress} for one of them at once. */
export function guardedLookup(to: string, allowInner: boolean) {
	const plain = to.replace(/^\[(.*)\]$/, '$1')
	if (!allowInner && isIP(plain) !== 0 && isInner(plain)) throw new RefusedAddress(to, plain)
	return (host: string, options: LookupOptions, done: Done) => {
		lookup(host, {...options, all: true}, (error, found) => {
			if (error !== null) return done(error, '')
			const bad = allowInner ? undefined : found.find(({address}) => isInner(address))
			if (bad !== undefined) return done(new RefusedAddress(host, bad.address), '')
			const [first] = found
			if (options.all === true || first === undefined) return done(null, found)
			done(null, first.address, first.family)
		})
	}
}
