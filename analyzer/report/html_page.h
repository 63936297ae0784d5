// Style and behaviour of the HTML report, as they stand in the page.
#pragma once

namespace smem {

extern const char *const kHtmlStyle;
extern const char *const kHtmlScript;

} // namespace smem
