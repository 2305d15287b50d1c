/** The probable role of a computer, from service data. A guess warns and requires more; it never protects. */
import {computerRoles, type ComputerRole} from './guard.ts'

/** Parts of host names, compared by words: `fin-dc-01` is a domain controller, `dcenter` is not. */
const names: Readonly<Record<Exclude<ComputerRole, 'vip'>, RegExp>> = {
	domain_controller: /(?:^|[^a-z])(?:dc|adc|rodc|pdc|bdc)\d*(?:[^a-z]|$)/i,
	hypervisor: /(?:^|[^a-z])(?:hv|esxi?|hyperv|vmhost|kvm|pve)\d*(?:[^a-z]|$)|hyper-v/i,
	infrastructure: /(?:^|[^a-z])(?:dns|dhcp|ntp|radius)\d*(?:[^a-z]|$)/i,
	jump_host: /(?:^|[^a-z])(?:jump|jmp|bastion|paw)(?:host|box|srv)?\d*(?:[^a-z]|$)/i,
	server: /(?:^|[^a-z])(?:srv|svr|server|sql|db|fs|mail|exch|web|app)\d*(?:[^a-z]|$)/i
}

/** Operating systems used only on servers and on virtualisation hosts. */
const systems: readonly (readonly [ComputerRole, RegExp])[] = [
	['hypervisor', /hyper-v|esxi|proxmox/i],
	['server', /\bserver\b|centos|red hat enterprise|\brhel\b|rocky linux|almalinux|oracle linux|amazon linux|\bsles\b/i]
]

/** In the order of `computerRoles`; empty for an ordinary computer. */
export function guessRoles(computer: {hostname: string; os: string}): readonly ComputerRole[] {
	const found = new Set<ComputerRole>()
	for (const [role, form] of Object.entries(names)) if (form.test(computer.hostname)) found.add(role as ComputerRole) // the keys of the table above
	for (const [role, form] of systems) if (form.test(computer.os)) found.add(role)
	return computerRoles.filter(role => found.has(role))
}
