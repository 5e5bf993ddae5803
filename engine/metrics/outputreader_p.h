// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/alignednames.h"
#include "engine/metrics/classrows.h"
#include "engine/metrics/collector.h"
#include "engine/metrics/commanumbers.h"
#include "engine/metrics/commitmessages.h"
#include "engine/metrics/countheadings.h"
#include "engine/metrics/dataframes.h"
#include "engine/metrics/linesplitter.h"
#include "engine/metrics/opendict.h"
#include "engine/metrics/outputreader.h"
#include "engine/metrics/partsections.h"
#include "engine/metrics/resultblock.h"
#include "engine/metrics/settingslist.h"
#include "engine/metrics/solvedfields.h"
#include "engine/metrics/tables.h"
#include "engine/metrics/valueblocks.h"
#include "engine/metrics/workcount.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::metrics
{

// Large because a line goes to one reader after the other until one takes it, and the order is what matters.
class OutputReader::Private
{
public:
    Private()
        : m_splitter([this](std::string_view text, std::uint64_t line, bool isLast) { state(text, line, isLast); }),
          m_tables([this](Record &&record) { m_collector.take(std::move(record), m_line); })
    {
    }

    // A program that prints no values may still count its work.
    Progress orOfWork(Progress progress) const
    {
        if (!progress.fraction && !m_collector.hasValues()) {
            progress.fraction = m_work.fraction();
        }
        return progress;
    }
    void state(std::string_view text, std::uint64_t line, bool isLast);
    void plain(std::string_view text, bool isLast = true);
    bool block(std::string_view text, std::string_view body);
    bool frame(std::string_view text);
    void closeBlock();
    bool bar(std::string_view text, bool isLast = true);
    bool message(std::string_view object);
    bool dict(std::string_view text);
    void dictsBehind(std::string_view text, const std::vector<StepMark> &steps);
    void closeDict();
    void goOnWithDict(std::string_view text);
    bool rowOfBest(std::string_view text);
    bool settings(std::string_view text, bool isLast);
    bool mayGoOnBelow(std::string_view text, std::uint64_t line) const;
    bool sourceOfTraceback(std::string_view text);
    bool valueBelowName(std::string_view text);
    void takeLines(std::vector<std::pair<std::uint64_t, Record>> &&lines);

    Collector m_collector;
    LineSplitter m_splitter;
    TableReader m_tables;
    SettingsList m_settings;
    bool m_isIndented = false; // the line
    bool m_isBelowHeading = false; // of settings
    std::uint64_t m_line = 0;
    std::optional<std::uint64_t> m_drawnLine; // the last one that was drawn more than once
    ResultBlock m_block;
    bool m_inMessage = false;
    OpenDict m_dict;
    ValueBlocks m_valueBlocks;
    WorkCount m_work;
    ClassRows m_classRows;
    SolvedFields m_solved;
    AlignedNames m_aligned;
    DataFrames m_frames;
    CommaNumbers m_commas;
    CountHeadings m_headings;
    CommitMessages m_commits;
    PartSections m_parts;
    EvaluationHeadings m_evaluations;
    std::string m_part; // of the data that the line is about, as a line above says
    std::string m_nameAbove; // the line before was nothing but the name of a metric
    bool m_isBelowBest = false; // the line before announced the row of the best iteration
    bool m_isInSource = false; // the line before named a place in the source, which a traceback shows next
};

} // namespace trainyard::metrics
