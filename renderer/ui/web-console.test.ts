import {computerPage, consoleAddress} from './WebConsole.tsx'

test('each region of the service has its console', () => {
	expect(consoleAddress('https://api.amp.cisco.com')).toBe('https://console.amp.cisco.com/')
	expect(consoleAddress('https://api.eu.amp.cisco.com/')).toBe('https://console.eu.amp.cisco.com/')
})

test('no console is known of another server, or of what is no address', () => {
	expect(consoleAddress('http://127.0.0.1:4000')).toBeNull()
	expect(consoleAddress('https://api.amp.cisco.com.example.org')).toBeNull()
	expect(consoleAddress('')).toBeNull()
})

test('a computer has a page of its own there, and each of its events a place on it', () => {
	const guid = '178cbe2b-d3f3-4e95-8c91-5512a3dab661'
	const page = `https://console.eu.amp.cisco.com/computers/${guid}/trajectory2`
	expect(consoleAddress('https://api.eu.amp.cisco.com', computerPage(guid))).toBe(page)
	expect(consoleAddress('https://api.eu.amp.cisco.com', computerPage(guid, '6517405458844363272'))).toBe(`${page}?id=6517405458844363272`)
	expect(computerPage('a/b', '1&x=2')).toBe('computers/a%2Fb/trajectory2?id=1%26x%3D2')
})
