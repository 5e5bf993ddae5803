// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

// How a program was set up, as it prints it: what is marked as a setting is not a metric, whatever its names are.
namespace trainyard::metrics
{

// Whether the last word of a text says that settings follow: "args", "vars(args) =", "Model config BertConfig".
bool introducesSettings(std::string_view before);

// Whether a nested dictionary of this name holds settings: {"config": {"lr": 0.1}, "loss": 0.5}.
bool isKeyOfSettings(std::string_view key);

// "TrainArgs(lr=0.1, steps=20)": settings as the object that holds them prints itself.
bool isObjectOfSettings(std::string_view line);

// A heading such as "Arguments:" or "------ Options ------" and the lines "name: value" below it, up to a line of
// another form or a name that comes again.
class SettingsList
{
public:
    // Whether take() needs to see the line; nearly every line of an output needs no closer look.
    bool mayMatter(std::string_view line) const;
    // Returns whether the line belongs to such a list, so that no other reader needs to read it. `body` is the line
    // without what loggers write in front.
    bool take(std::string_view body);
    // Whether the line before is a heading, so that a dictionary may follow.
    bool isBelowHeading() const { return m_isOpen && m_names.empty(); }
    void close();

private:
    bool takeEntry(std::string_view text);

    bool m_isOpen = false, m_wasBlank = false;
    std::string m_section; // "optimizer:", below which names may come again
    std::unordered_set<std::string> m_names;
};

} // namespace trainyard::metrics
