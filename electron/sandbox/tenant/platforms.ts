export type Platform = 'windows' | 'mac' | 'linux' | 'ios'

/** An operating system as connectors report it. `build` is `os_version`. */
export interface OsRelease {
	name: string
	build: string
}

/** The fields of a record: the service added them over the years (API reference, 4.1). */
export type Generation = 2018 | 2020 | 2022 | 2024

export const desktopReleases: readonly OsRelease[] = [
	{name: 'Windows 11 (Build 26100.4349)', build: '10.0.26100.4349'},
	{name: 'Windows 11 (Build 22631.5472)', build: '10.0.22631.5472'},
	{name: 'Windows 11 (Build 22631.5335)', build: '10.0.22631.5335'},
	{name: 'Windows 10 (Build 19045.5965)', build: '10.0.19045.5965'},
	{name: 'Windows 10 (Build 19045.4780)', build: '10.0.19045.4780'},
	{name: 'Windows 10 (Build 19044.1466)', build: '10.0.19044.1466'}
]

export const serverReleases: readonly OsRelease[] = [
	{name: 'Windows Server 2022 Standard', build: '10.0.20348.3807'},
	{name: 'Windows Server 2019 Datacenter', build: '10.0.17763.7434'},
	{name: 'Windows Server 2016 Standard', build: '10.0.14393.8148'}
]

export const legacyReleases: readonly OsRelease[] = [
	{name: 'Windows 7, SP 1.0', build: '6.1.7601'},
	{name: 'Windows 10, SP 0.0', build: '10.0.17763'}
]

export const macReleases: readonly OsRelease[] = [
	{name: 'macOS 15.5', build: '15.5.0'},
	{name: 'macOS 14.7.6', build: '14.7.6'},
	{name: 'OS X 10.14.6', build: '10.14.6'}
]

export const linuxReleases: readonly OsRelease[] = [
	{name: 'Ubuntu 24.04', build: '24.04'},
	{name: 'Ubuntu 22.04', build: '22.04'},
	{name: 'Ubuntu 20.04', build: '20.04'},
	{name: 'Red Hat Enterprise Linux 9.4', build: '9.4'},
	{name: 'Red Hat Enterprise Linux 8.10', build: '8.10'}
]

export const phoneRelease: OsRelease = {name: 'iOS 16.0 (iPhone11,6)', build: '16.0.0'}

/** Connector versions, newest first. */
export const connectorVersions: Readonly<Record<Platform, readonly string[]>> = {
	windows: ['8.4.5.30483', '8.4.4.30424', '8.4.0.30201', '8.2.3.30119', '7.5.17.21512', '7.2.7.11687'],
	mac: ['1.26.1.1045', '1.24.3.991', '1.22.4.950', '1.12.4.740'],
	linux: ['1.26.0.1012', '1.24.1.956', '1.22.0.853', '1.18.0.814'],
	ios: ['1.5.3.197']
}

export const legacyConnector = '6.0.9.10685'
