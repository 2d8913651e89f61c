/** The network of an IP address: anyone with one IPv6 address usually has 2^64. */

/**
 * The key of a rate limit: an IPv4 address, or the /64 of an IPv6 address, normalized. Anything
 * else is returned unchanged.
 */
export function networkKey(address: string): string {
	const [bare = ""] = address.toLowerCase().split("%");
	const mapped = /^(?:0*:)*(?:0{0,4}:)?ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1];
	if (mapped) return mapped;
	if (!/^[0-9a-f:.]+$/.test(bare) || !bare.includes(":")) return address;
	const [head = "", tail] = bare.split("::");
	const before = head === "" ? [] : head.split(":");
	const after = tail ? tail.split(":") : [];
	// A trailing IPv4 address counts as two parts, and is never among the first four.
	const written = before.length + after.length + (after.at(-1)?.includes(".") ? 1 : 0);
	const gap = tail === undefined ? 0 : Math.max(0, 8 - written);
	const parts = [...before, ...Array.from({ length: gap }, () => "0"), ...after].slice(0, 4);
	return `${parts.map((part) => Number.parseInt(part, 16).toString(16)).join(":")}::/64`;
}
