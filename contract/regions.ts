/** States, provinces and territories with their codes of ISO 3166-2, for countries whose rates name them. */
const regions: Record<string, string> = {
  US: `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware
    |DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas
    |KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi
    |MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York
    |NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island
    |SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington
    |WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|MP Northern Mariana Islands|PR Puerto Rico
    |VI U.S. Virgin Islands|AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific`,
  CA: `AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia
    |NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon`,
}

interface Region {
  code: string
  name: string
}

/** Lists the regions of a country by name; empty for countries without a list. */
export function listRegions(country: string): Region[] {
  return (regions[country]?.split('|') ?? []).map((text) => ({
    code: text.trim().slice(0, 2),
    name: text.trim().slice(3),
  }))
}

/** Returns the region of a listed country by code or name, in any case. */
export function findRegion(country: string, text = ''): Region | undefined {
  const typed = text.trim().toLowerCase()
  return listRegions(country).find(({ code, name }) =>
    [code, name].some((each) => each.toLowerCase() === typed),
  )
}
