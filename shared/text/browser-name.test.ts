import {browserName} from './browser-name.ts'

test.each([
	['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36', 'Chrome 143 on Linux'],
	['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/143.0 Safari/537.36 Edg/143.0', 'Edge 143 on Windows'],
	['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.7; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140 on macOS'],
	['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile Safari/604.1', 'Safari 18 on iOS'],
	['curl/8.5.0', 'curl/8.5.0']
])('%s is called %s', (agent, name) => expect(browserName(agent)).toBe(name))
