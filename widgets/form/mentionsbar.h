// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/rename.h"
#include "widgets/common/infobar.h"

#include <functional>

namespace trainyard
{

// After a renaming: what else is called by the old name and was left as it is, one after the other.
class MentionsBar : public InfoBar
{
    Q_OBJECT
public:
    explicit MentionsBar(std::function<const YamlDocument &()> document, QWidget *parent = nullptr);
    // `plan` was made for the text before; `path` is what it renamed.
    void showFor(const RenamePlan &plan, const YamlPath &path);
    void showNext();

Q_SIGNALS:
    void jumpRequested(const trainyard::ByteRange &range);

private:
    QList<ByteRange> places() const; // as the text is now, in its order
    std::function<const YamlDocument &()> m_document;
    QList<YamlPath> m_paths;
    QString m_from;
    QString m_to;
    qsizetype m_last = -1; // begin of the place last shown
};

} // namespace trainyard
