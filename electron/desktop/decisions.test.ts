import {
	addressOutside,
	addressToLoad,
	isOwnPage,
	mayDownload,
	mayHavePermission,
	mayHaveWire,
	notificationBody,
	refuseToRun,
	weakeningSwitches
} from './decisions.ts'

test('only the page of our own scheme and host is our page', () => {
	expect(isOwnPage('cordon://app/computers?x=1')).toBe(true)
	const others = [
		'cordon://other/',
		'https://app/',
		'file:///app/index.html',
		'cordon:app',
		'cordon://app.evil/',
		'cordon://app@evil/',
		'about:blank',
		''
	]
	expect(others.filter(isOwnPage)).toEqual([])
})

test('a name with markup is text in a notification', () => {
	expect(notificationBody('<b> & B', 'linux')).toBe('&lt;b> &amp; B')
	expect(notificationBody('<b>', 'win32')).toBe('<b>')
})

test('only what the page made itself is saved', () => {
	expect(mayDownload('blob:cordon://app/6f1c')).toBe(true)
	const others = ['https://evil.example/x', 'blob:https://evil.example/x', 'blob:cordon://app.evil/x', 'data:text/csv,x']
	expect([...others, 'cordon://app/assets/x.js', 'file:///etc/passwd', ''].filter(mayDownload)).toEqual([])
})

test('links lead out to the listed https hosts', () => {
	const allowed = ['https://console.amp.cisco.com/computers', 'https://console.eu.amp.cisco.com/', 'https://console.apjc.amp.cisco.com/x']
	expect(allowed.map(addressOutside)).toEqual(allowed)
	// What is opened is what was looked at.
	expect(addressOutside('https:\\\\console.amp.cisco.com\\a\tb')).toBe('https://console.amp.cisco.com/ab')
})

test.each([
	'http://console.amp.cisco.com/',
	'https://console.amp.cisco.com.evil.example/',
	'https://evil.example/?console.amp.cisco.com',
	'https://user:pw@console.amp.cisco.com/',
	'https://console.amp.cisco.com:8443/',
	'https://consoleXamp.cisco.com/',
	'file:///etc/passwd',
	'javascript:alert(1)',
	'smb://host/share',
	'not a url'
])('%s stays inside', url => {
	expect(addressOutside(url)).toBeNull()
})

test('of all permissions the page gets only copying, and only on our page', () => {
	expect(mayHavePermission('clipboard-sanitized-write', 'cordon://app/')).toBe(true)
	expect(mayHavePermission('clipboard-sanitized-write', 'https://evil.example/')).toBe(false)
	expect(mayHavePermission('clipboard-read', 'cordon://app/')).toBe(true)
	expect(mayHavePermission('clipboard-read', 'https://evil.example/')).toBe(false)
	for (const permission of ['media', 'geolocation', 'notifications', 'openExternal', 'fileSystem', 'hid']) {
		expect(mayHavePermission(permission, 'cordon://app/')).toBe(false)
	}
})

test('the wire goes to the top frame of our window while it shows our page', () => {
	const window = {}
	const frame = {url: 'cordon://app/', parent: null}
	expect(mayHaveWire({frame, sender: window, window})).toBe(true)
	expect(mayHaveWire({frame: null, sender: window, window})).toBe(false)
	expect(mayHaveWire({frame: {...frame, url: 'https://evil.example/'}, sender: window, window})).toBe(false)
	expect(mayHaveWire({frame: {...frame, parent: {}}, sender: window, window})).toBe(false)
	expect(mayHaveWire({frame, sender: {}, window})).toBe(false)
})

test('a switch that weakens the window keeps the program from running', () => {
	for (const weak of ['no-sandbox', 'remote-debugging-port', 'remote-debugging-pipe', 'disable-web-security']) {
		expect(refuseToRun(weakeningSwitches, name => name === weak)).toContain(`--${weak}`)
	}
	expect(refuseToRun(weakeningSwitches, () => false)).toBeUndefined()
})

test('a screen that is shown already is not loaded anew', () => {
	expect(addressToLoad('/log', 'cordon://app/#/computers')).toBe('cordon://app/#/log')
	expect(addressToLoad('/log', 'cordon://app/#/log')).toBeNull()
	expect(addressToLoad(null, 'cordon://app/#/log')).toBeNull()
})
