/** One random unlock code. */

/** Capital letters and digits that nobody mistakes for another, read aloud or written by hand. */
export const codeAlphabet = 'ACDEFHJKMNPRTWXY34679';
/** 70 bits; the service takes up to 24 characters. */
export const codeLength = 16;

/** `random`: bytes of the host's generator. A byte that would favour some letters is thrown away. */
export function makeCode(random: (bytes: number) => Uint8Array): string {
	const even = 256 - (256 % codeAlphabet.length);
	let code = '';
	while (code.length < codeLength) {
		for (const byte of random(codeLength - code.length)) {
			if (byte < even) code += codeAlphabet[byte % codeAlphabet.length];
		}
	}
	return code;
}
