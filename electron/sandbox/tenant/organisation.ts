import type {Platform} from './platforms.ts'

export type Role = 'laptop' | 'workstation' | 'server' | 'instrument' | 'phone'

/** A kind of computer within a department; its names are `DEPARTMENT-TAG-NUMBER`. */
export interface Kind {
	tag: string
	digits: number
	platform: Platform
	role: Role
	/** Share per thousand computers of the department. */
	share: number
	group: string
	/** Whether policy or platform prevent isolation. */
	noIsolation?: boolean
}

/** A department of St Barnaby, a simulated hospital group with a device-making company. */
export interface Department {
	code: string
	/** Its network is 10.NET.0.0/16. */
	net: number
	/** Share per thousand computers of the tenant. */
	share: number
	/** External address of its site (documentation range of RFC 5737). */
	nat: string
	kinds: readonly Kind[]
}

function kind(tag: string, digits: number, platform: Platform, role: Role, noIsolation = false) {
	return (group: string, share: number): Kind => ({tag, digits, platform, role, share, group, ...(noIsolation && {noIsolation})})
}

const laptop = kind('LT', 4, 'windows', 'laptop')
const desk = kind('WS', 4, 'windows', 'workstation')
const macBook = kind('MBP', 3, 'mac', 'laptop')
const server = kind('SRV', 3, 'windows', 'server')
const linux = (tag: string, group: string, share: number) => kind(tag, 3, 'linux', 'server', true)(group, share)

export const departments: readonly Department[] = [
	{
		code: 'FIN',
		net: 20,
		share: 110,
		nat: '198.51.100.20',
		kinds: [laptop('Finance Laptops', 480), desk('Finance Workstations', 440), server('Finance Servers', 50), macBook('Finance Laptops', 30)]
	},
	{
		code: 'HR',
		net: 22,
		share: 60,
		nat: '198.51.100.20',
		kinds: [laptop('Human Resources', 600), desk('Human Resources', 360), server('Corporate Servers', 40)]
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
			linux('BLD', 'Build Servers', 70)
		]
	},
	{
		code: 'OPS',
		net: 50,
		share: 90,
		nat: '198.51.100.50',
		kinds: [laptop('Operations', 420), desk('Operations', 330), server('Operations Servers', 150), linux('LNX', 'Linux Servers', 100)]
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
			kind('DC', 2, 'windows', 'server', true)('Domain Controller', 20)
		]
	},
	{
		code: 'MED',
		net: 60,
		share: 260,
		nat: '198.51.100.60',
		kinds: [
			desk('Ward Workstations', 560),
			kind('CART', 4, 'windows', 'workstation')('Medication Carts', 230),
			laptop('Doctors', 150),
			kind('KSK', 3, 'windows', 'workstation')('Check-in Kiosks', 50),
			kind('PACS', 2, 'windows', 'server', true)('PACS', 10)
		]
	},
	{
		code: 'RAD',
		net: 66,
		share: 55,
		nat: '198.51.100.60',
		kinds: [desk('Reading Rooms', 700), kind('MOD', 3, 'windows', 'instrument', true)('Imaging Devices', 240), server('Radiology Servers', 60)]
	},
	{
		code: 'LAB',
		net: 70,
		share: 80,
		nat: '198.51.100.60',
		kinds: [
			desk('Laboratory', 530),
			laptop('Laboratory', 200),
			kind('INS', 3, 'windows', 'instrument', true)('Laboratory Instruments', 200),
			linux('LIMS', 'Laboratory Servers', 70)
		]
	},
	{code: 'PHA', net: 72, share: 40, nat: '198.51.100.60', kinds: [desk('Pharmacy', 800), laptop('Pharmacy', 200)]},
	{
		code: 'RES',
		net: 80,
		share: 50,
		nat: '198.51.100.40',
		kinds: [laptop('Research', 420), macBook('Research', 320), linux('LNX', 'Research Cluster', 260)]
	}
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
	'yusuf'
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
	'weber'
]

/** A person's account name, such as `g.hartmann`, from two dice in [0, 1). */
export function accountName(a: number, b: number) {
	const given = givenNames[Math.floor(a * givenNames.length)] ?? 'a'
	return `${given.charAt(0)}.${familyNames[Math.floor(b * familyNames.length)] ?? 'adler'}`
}
