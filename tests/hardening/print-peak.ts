/** Loaded before a program of the shop: prints the most memory that it ever had, in KiB, when it ends. */
process.on('exit', () => process.stderr.write(`peak ${process.resourceUsage().maxRSS} KiB\n`))
