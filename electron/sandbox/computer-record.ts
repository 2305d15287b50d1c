import type {JsonObject} from './answer.ts'
import type {Call} from './call.ts'
import {statusShown} from './isolation-machine.ts'
import type {Host} from './tenant/host.ts'
import {pickAt} from './tenant/random.ts'
import {policyInForce, type World} from './world.ts'

/** A record of GET /v1/computers, in the fields of the host's generation (API reference, 4.1). */
export function computerRecord(world: World, call: Call, host: Host): JsonObject {
	const group = pickAt(world.tenant.groups, world.fleet.group(host))
	const policy = policyInForce(world, host)
	const {generation} = host
	return {
		...stub(world, call, host),
		...(generation >= 2022 ? {operating_system: host.os.name, os_version: host.os.build} : {operating_system: host.os.name}),
		connector_version: host.connectorVersion,
		internal_ips: host.ips,
		external_ip: host.externalIp,
		...(generation >= 2024 ? {flag: false, id: 70_000_001 + host.index} : {}),
		group_guid: group.guid,
		install_date: dateZ(world.start - host.installedFor * 1000),
		...(generation >= 2022 ? {is_compromised: host.compromised, demo: host.demo} : {}),
		network_addresses: networkAddresses(host),
		policy: {guid: policy.guid, name: policy.name},
		...(generation >= 2022 ? {groups: [{guid: group.guid, name: group.name}]} : {}),
		last_seen: dateZ(world.fleet.lastSeen(host, call.now)),
		...(generation >= 2020 ? sinceTwenty(world, call, host) : {}),
		...(generation >= 2024 ? sinceTwentyFour(host) : {})
	}
}

/** The short form of a computer in activity searches. */
export function stub(world: World, call: Call, host: Host, q?: string): JsonObject {
	return {connector_guid: host.guid, hostname: host.hostname, ...hardware(host), active: host.active, links: computerLinks(world, call, host, q)}
}

export function computerLinks(world: World, call: Call, host: Host, q?: string): JsonObject {
	const computer = `${call.origin}/v1/computers/${host.guid}`
	const group = pickAt(world.tenant.groups, world.fleet.group(host))
	return {
		computer,
		trajectory: q === undefined ? `${computer}/trajectory` : `${computer}/trajectory?q=${encodeURIComponent(q)}`,
		group: `${call.origin}/v1/groups/${group.guid}`
	}
}

/** macOS reports a second adapter without an address (API reference, section 13). */
export function networkAddresses(host: Host): readonly {mac: string; ip: string}[] {
	const own = host.ips.map((ip, index) => ({mac: index === 0 ? host.mac : sibling(host.mac, index), ip: ip.trim()}))
	return host.platform === 'mac' ? [...own, {mac: sibling(host.mac, 7), ip: ''}] : own
}

function sibling(mac: string, step: number) {
	const last = (parseInt(mac.slice(-2), 16) + step) % 256
	return `${mac.slice(0, -2)}${last.toString(16).padStart(2, '0')}`
}

function hardware(host: Host): JsonObject {
	if (host.hardwareId === '') return {}
	return host.platform === 'mac' ? {mac_hardware_id: host.hardwareId} : {windows_processor_id: host.hardwareId}
}

function sinceTwenty(world: World, call: Call, host: Host): JsonObject {
	return {
		...definitions(world, host),
		faults: [],
		isolation: {available: world.fleet.available(host), status: statusShown(world.fleet.isolation(host), call.now)},
		orbital: {status: host.role === 'server' ? 'enabled' : 'not_enabled'}
	}
}

function definitions(world: World, host: Host): JsonObject {
	if (host.generation < 2022 || host.platform === 'ios' || host.platform === 'mac') return {}
	const outdated = host.silentFor > 2 * 86_400
	const updated = new Date(world.start - (host.silentFor + 5400) * 1000).toISOString().slice(0, 19)
	return {
		av_update_definitions: {
			status: outdated ? 'Definitions Outdated' : 'Definitions Up To Date',
			...(host.platform === 'windows' ? {version: '91482'} : {}),
			detection_engine: host.platform === 'windows' ? 'TETRA 64 bit' : 'ClamAV Linux-Full',
			updated_at: `${updated}+00:00`
		}
	}
}

const osTypes: Readonly<Record<Host['platform'], string>> = {windows: 'WinOs', mac: 'MacOs', linux: 'LinuxOs', ios: 'IOS'}

function sinceTwentyFour(host: Host): JsonObject {
	const phone = host.platform === 'ios'
	return {
		os_type: osTypes[host.platform],
		supports: {
			device_trajectory: !phone,
			events: true,
			move_to_group: true,
			request_snapshot: !phone,
			scan: !phone,
			orbital: {
				is_supported: !phone,
				agent_active: host.role === 'server',
				agent_nil_state: false,
				agent_supported: true,
				min_supported_agent_version: '7.1.5.11523',
				min_supported_os_version: '10.0.16299',
				os_supported: true,
				policy_supported: false
			}
		},
		risk_score: host.risk
	}
}

/** `2020-06-18T13:04:00Z`, the form of `last_seen` and `install_date`. */
export function dateZ(ms: number) {
	return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** `2020-06-18T13:40:37+00:00`, the form of event dates. */
export function dateOffset(ms: number) {
	return `${new Date(ms).toISOString().slice(0, 19)}+00:00`
}
