import type {ComputerRow} from '#model/computer.ts'
import {type CopyForm, copyForms} from './CopyAsDialog.tsx'

const row: ComputerRow = {
	guid: '54cafbe1-6a60-4916-9c02-98ccd0e74451',
	hostname: 'FIN-LT-0002',
	groupGuid: '08bc15bf-d743-42cd-9ad2-0bd630ac5601',
	groupName: 'Finance, Laptops',
	policyGuid: '',
	policyName: 'Protect',
	os: 'Windows 11',
	connectorVersion: '8.4.4',
	internalIps: ['10.20.16.13', '172.16.0.4'],
	externalIp: '198.51.100.20',
	macs: ['02:41:5e:c7:07:29'],
	lastSeen: '2026-01-31T14:02:11Z',
	installDate: null,
	compromised: false,
	active: true,
	isolation: 'pending_start',
	readAt: '2026-01-31T14:03:00Z',
	isolationReadAt: '2026-01-31T14:03:00Z',
	vanishedAt: null,
	duplicate: false,
	odd: false,
	tags: ['Tier 0'],
	roles: [],
	guessedRoles: []
}
const textOf = (id: CopyForm['id'], of: ComputerRow = row) =>
	copyForms(of, ['hostname', 'group', 'internal_ip', 'isolation', 'nonsense']).find(form => form.id === id)?.text

test('CSV has the columns of the table, quoted where needed', () => {
	expect(textOf('csv')).toBe('Name,Group,Address,Isolation\r\nFIN-LT-0002,"Finance, Laptops","10.20.16.13, 172.16.0.4",isolating\r\n')
})

test('a host name cannot become a formula of a spreadsheet', () => {
	expect(textOf('csv', {...row, hostname: '=HYPERLINK("x")'})).toContain(`"'=HYPERLINK(""x"")"`)
})

test('the command can be run as it is', () => {
	expect(textOf('command')).toBe('!svc_get_computer_by_connector connector_guid=54cafbe1-6a60-4916-9c02-98ccd0e74451')
})

test('JSON can be read back', () => {
	expect(JSON.parse(textOf('json') ?? '')).toEqual(row)
})
