// What options there are, in groups, with their texts.
#pragma once

#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace smem {

struct OptionDescriptions {
  boost::program_options::options_description input{"Input"}, launches{"Launches"}, output{"Output"}, rules{"Rules"},
      fixes{"Repairs of bank conflicts"}, config{"Configuration"}, gate{"Gate"}, about{"About"}, hidden;
  boost::program_options::options_description visible, all;

  OptionDescriptions();
  /// All spellings, to find what an unknown one may be meant for.
  std::vector<std::string> names() const;
};

} // namespace smem
