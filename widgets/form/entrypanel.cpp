// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/entrypanel.h"

#include "widgets/common/tokens.h"
#include "widgets/form/entrylist.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"

#include <QBoxLayout>

#include <algorithm>

namespace trainyard
{

EntryPanel::EntryPanel(FormContext *context, const YamlPath &listPath, EntryList *list, QWidget *parent)
    : QWidget(parent), m_context(context), m_list(list), m_details(new QWidget), m_grid(new FormGrid),
      m_listPath(listPath)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(metrics::space2);
    column->addWidget(m_list);
    auto *inside = new QVBoxLayout(m_details);
    inside->setContentsMargins(0, metrics::space1, 0, 0);
    inside->addWidget(m_grid);
    column->addWidget(m_details);

    connect(m_list, &EntryList::currentChanged, this, [this](int row) {
        showEntry();
        m_context->refreshMessages();
        if (row >= 0 && m_list->hasListFocus()) {
            Q_EMIT m_context->fieldFocused(item());
        }
    });
    connect(m_list, &EntryList::removeRequested, this,
        [this](int row) { m_context->edit({edit::Remove{m_listPath.child(qsizetype(row))}}); });
    connect(m_list, &EntryList::duplicateRequested, this, &EntryPanel::duplicate);
    connect(m_list, &EntryList::moveRequested, this, [this](int from, int to) {
        m_context->edit({edit::Move{m_listPath.child(qsizetype(from)), to}}, [this, to](const Result<void> &result) {
            if (result) {
                select(to);
                Q_EMIT m_context->fieldFocused(m_listPath.child(qsizetype(to)));
            }
        });
    });
}

void EntryPanel::select(qsizetype index) { m_list->setCurrent(int(index)); }

void EntryPanel::duplicate(int row)
{
    m_context->edit({edit::Duplicate{m_listPath.child(qsizetype(row)), {}}}, [this, row](const Result<void> &result) {
        if (result) {
            select(row + 1);
        }
    });
}

YamlPath EntryPanel::item() const
{
    return m_list->current() < 0 ? YamlPath() : m_listPath.child(qsizetype(m_list->current()));
}

qsizetype EntryPanel::count() const { return m_context->count(m_listPath); }

QHash<qsizetype, Severity> EntryPanel::worstOfEntries() const
{
    QHash<qsizetype, Severity> worst;
    for (const Diagnostic &diagnostic : m_context->diagnostics()) {
        if (diagnostic.path.size() > m_listPath.size() && diagnostic.path.startsWith(m_listPath)) {
            if (const auto *index = std::get_if<qsizetype>(&diagnostic.path.at(m_listPath.size()))) {
                worst[*index] = std::min(worst.value(*index, Severity::Note), diagnostic.severity);
            }
        }
    }
    return worst;
}

} // namespace trainyard
