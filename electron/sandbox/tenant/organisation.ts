import type {Platform} from './platforms.ts'

export type Role = 'laptop' | 'workstation' | 'server' | 'instrument' | 'phone'

/** A kind of computer within a department; its names are `DEPARTMENT-TAG-NUMBER`. */
export interface Kind {
	readonly tag: string
	readonly digits: number
	readonly platform: Platform
	readonly role: Role
	/** Share per thousand computers of the department. */
	readonly share: number
	readonly group: string
	/** Whether policy or platform prevent isolation. */
	readonly noIsolation?: boolean
}

/** A department of St Barnaby, a simulated hospital group with a device-making company. */
export interface Department {
	readonly code: string
	/** Its network is 10.NET.0.0/16. */
	readonly net: number
	/** Share per thousand computers of the tenant. */
	readonly share: number
	/** External address of its site (documentation range of RFC 5737). */
	readonly nat: string
	readonly kinds: readonly Kind[]
}

const laptop = (group: string, share: number): Kind => ({tag: 'LT', digits: 4, platform: 'windows', role: 'laptop', share, group})
const desk = (group: string, share: number): Kind => ({tag: 'WS', digits: 4, platform: 'windows', role: 'workstation', share, group})
const macBook = (group: string, share: number): Kind => ({tag: 'MBP', digits: 3, platform: 'mac', role: 'laptop', share, group})
const server = (group: string, share: number): Kind => ({tag: 'SRV', digits: 3, platform: 'windows', role: 'server', share, group})
const linux = (tag: string, group: string, share: number): Kind => ({
	tag,
	digits: 3,
	platform: 'linux',
	role: 'server',
	share,
	group,
	noIsolation: true,
})

export const departments: readonly Department[] = [
	{
		code: 'FIN',
		net: 20,
		share: 110,
		nat: '198.51.100.20',
		kinds: [
			laptop('Finance Laptops', 480),
			desk('Finance Workstations', 440),
			server('Finance Servers', 50),
			macBook('Finance Laptops', 30),
		],
	},
	{
		code: 'HR',
		net: 22,
		share: 60,
		nat: '198.51.100.20',
		kinds: [laptop('Human Resources', 600), desk('Human Resources', 360), server('Corporate Servers', 40)],
	},
	{code: 'LEG', net: 24, share: 25, nat: '198.51.100.20', kinds: [laptop('Legal', 820), macBook('Legal', 180)]},
	{code: 'MKT', net: 26, share: 35, nat: '198.51.100.20', kinds: [laptop('Marketing', 520), macBook('Marketing', 480)]},
	{
		code: 'ENG',
		net: 40,
		share: 140,
		nat: '198.51.100.40',
		kinds: [
			laptop('Developers', 330),
			desk('Developers', 180),
			macBook('Mac Developers', 290),
			linux('LNX', 'Linux Workstations', 130),
			linux('BLD', 'Build Servers', 70),
		],
	},
	{
		code: 'OPS',
		net: 50,
		share: 90,
		nat: '198.51.100.50',
		kinds: [
			laptop('Operations', 420),
			desk('Operations', 330),
			server('Operations Servers', 150),
			linux('LNX', 'Linux Servers', 100),
		],
	},
	{
		code: 'ITS',
		net: 52,
		share: 55,
		nat: '198.51.100.50',
		kinds: [
			laptop('IT Services', 560),
			server('Corporate Servers', 330),
			linux('LNX', 'Linux Servers', 90),
			{tag: 'DC', digits: 2, platform: 'windows', role: 'server', share: 20, group: 'Domain Controller', noIsolation: true},
		],
	},
	{
		code: 'MED',
		net: 60,
		share: 260,
		nat: '198.51.100.60',
		kinds: [
			desk('Ward Workstations', 560),
			{tag: 'CART', digits: 4, platform: 'windows', role: 'workstation', share: 230, group: 'Medication Carts'},
			laptop('Doctors', 150),
			{tag: 'KSK', digits: 3, platform: 'windows', role: 'workstation', share: 50, group: 'Check-in Kiosks'},
			{tag: 'PACS', digits: 2, platform: 'windows', role: 'server', share: 10, group: 'PACS', noIsolation: true},
		],
	},
	{
		code: 'RAD',
		net: 66,
		share: 55,
		nat: '198.51.100.60',
		kinds: [
			desk('Reading Rooms', 700),
			{tag: 'MOD', digits: 3, platform: 'windows', role: 'instrument', share: 240, group: 'Imaging Devices', noIsolation: true},
			server('Radiology Servers', 60),
		],
	},
	{
		code: 'LAB',
		net: 70,
		share: 80,
		nat: '198.51.100.60',
		kinds: [
			desk('Laboratory', 530),
			laptop('Laboratory', 200),
			{
				tag: 'INS',
				digits: 3,
				platform: 'windows',
				role: 'instrument',
				share: 200,
				group: 'Laboratory Instruments',
				noIsolation: true,
			},
			linux('LIMS', 'Laboratory Servers', 70),
		],
	},
	{code: 'PHA', net: 72, share: 40, nat: '198.51.100.60', kinds: [desk('Pharmacy', 800), laptop('Pharmacy', 200)]},
	{
		code: 'RES',
		net: 80,
		share: 50,
		nat: '198.51.100.40',
		kinds: [laptop('Research', 420), macBook('Research', 320), linux('LNX', 'Research Cluster', 260)],
	},
]

const givenNames = [
	'anna',
	'ben',
	'carla',
	'david',
	'elif',
	'farid',
	'greta',
	'hugo',
	'ines',
	'jonas',
	'kira',
	'liam',
	'mina',
	'noah',
	'olga',
	'paul',
	'rosa',
	'sven',
	'tessa',
	'yusuf',
]
const familyNames = [
	'adler',
	'brandt',
	'costa',
	'duval',
	'egger',
	'fischer',
	'gruber',
	'hartmann',
	'ivanova',
	'jansen',
	'keller',
	'lindqvist',
	'moreau',
	'nowak',
	'okafor',
	'petrov',
	'rossi',
	'schmid',
	'tanaka',
	'weber',
]

/** A person's account name, such as `g.hartmann`, from two dice in [0, 1). */
export function accountName(a: number, b: number): string {
	const given = givenNames[Math.floor(a * givenNames.length)] ?? 'a'
	return `${given.charAt(0)}.${familyNames[Math.floor(b * familyNames.length)] ?? 'adler'}`
}
