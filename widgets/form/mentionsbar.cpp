// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/mentionsbar.h"

#include "widgets/editor/nameplaces.h"

#include <QPushButton>

#include <algorithm>

namespace trainyard
{
MentionsBar::MentionsBar(std::function<const YamlDocument &()> document, QWidget *parent)
    : InfoBar(parent), m_document(std::move(document))
{
    setObjectName(QStringLiteral("mentionsBar"));
    setClosable(true);
    hide();
}

void MentionsBar::showFor(const RenamePlan &plan, const YamlPath &path)
{
    m_paths.clear();
    m_from = plan.from;
    m_to = plan.to;
    m_last = -1;
    int count = 0;
    for (const NameReference &mention : plan.mentions) {
        // A key that was renamed is on the way to what is below it.
        YamlPath place = mention.path;
        const bool isKey = !path.isEmpty() && path.last() == YamlPath::Element(plan.from);
        if (isKey && place.startsWith(path)) {
            YamlPath renamed = path.parent().child(plan.to);
            for (qsizetype i = path.size(); i < place.size(); ++i) {
                renamed = std::holds_alternative<QString>(place.at(i))
                    ? renamed.child(std::get<QString>(place.at(i)))
                    : renamed.child(std::get<qsizetype>(place.at(i)));
            }
            place = renamed;
        }
        m_paths.append(place);
        count += mention.count;
    }
    if (m_paths.isEmpty()) {
        hide();
        return;
    }
    show(Kind::Info,
        (count == 1 ? tr("%1 is now %2. One more place may refer to it, and was left as it is.").arg(m_from, m_to)
                    : tr("%1 is now %2. %3 more places may refer to it, and were left as they are.")
                          .arg(m_from, m_to)
                          .arg(count))
            .toHtmlEscaped());
    QPushButton *next = addAction(count == 1 ? tr("Show it") : tr("Show the next"));
    next->setObjectName(QStringLiteral("mentionNext"));
    connect(next, &QPushButton::clicked, this, &MentionsBar::showNext);
}

QList<ByteRange> MentionsBar::places() const
{
    QList<ByteRange> found;
    for (const YamlPath &path : m_paths) {
        found += namePlaces(m_document(), path, m_from);
    }
    std::sort(found.begin(), found.end(), [](ByteRange a, ByteRange b) { return a.begin < b.begin; });
    return found;
}

void MentionsBar::showNext()
{
    const QList<ByteRange> all = places();
    if (all.isEmpty()) {
        setText(tr("%1 is no longer named anywhere.").arg(m_from).toHtmlEscaped());
        return;
    }
    qsizetype next = 0;
    while (next < all.size() && all.at(next).begin <= m_last) {
        ++next;
    }
    next = next < all.size() ? next : 0;
    m_last = all.at(next).begin;
    setText(tr("%1 is now %2. This place may refer to it, and was left as it is (%3 of %4).")
                .arg(m_from, m_to)
                .arg(next + 1)
                .arg(all.size())
                .toHtmlEscaped());
    Q_EMIT jumpRequested(all.at(next));
}

} // namespace trainyard
