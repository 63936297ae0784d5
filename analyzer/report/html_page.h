// Style and behaviour of the HTML report, as they stand in the page.
#pragma once

namespace smem {

extern const char *const kHtmlStyle;
extern const char *const kHtmlPictures; ///< requests as lanes × banks and lanes × sectors; kHtmlScript follows it
extern const char *const kHtmlScript;

} // namespace smem
