// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/datafields.h"

#include "model/protocol/jobspec.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/formops.h"
#include "widgets/form/keynamefield.h"
#include "widgets/form/pathchoice.h"
#include "widgets/form/rolesfield.h"
#include "widgets/form/valuestable.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

// The characters of a file's name that a name may have: "ImageNet (2012).tar" is "ImageNet-2012".
QString nameOf(const QString &path)
{
    static const QRegularExpression odd(QStringLiteral("[^A-Za-z0-9_-]+"));
    static const QRegularExpression ends(QStringLiteral("^[^A-Za-z]+|[-_]+$"));
    QString name = QFileInfo(path).completeBaseName();
    name = name.replace(odd, QStringLiteral("-")).remove(ends).left(40);
    return name.isEmpty() ? QStringLiteral("data") : name;
}

} // namespace

const YamlPath &dataPath()
{
    static const YamlPath path{k("extras"), k("trainyard"), k("data")};
    return path;
}

DataFields::DataFields(FormContext *context, QObject *parent)
    : QObject(parent), m_context(context), m_line(new Disclosure(QString())), m_body(new FormGrid),
      m_details(new QWidget), m_which(new QComboBox), m_add(new QPushButton(icon(QStringLiteral("plus")), tr("Add"))),
      m_remove(new QPushButton(icon(QStringLiteral("remove")), QString()))
{
    m_line->setObjectName(QStringLiteral("jobData"));
    auto *about
        = smallMutedLabel(tr("Folders or files that tasks need on whichever host they run. What a host does not "
                             "have is copied there once, and kept for other jobs."));
    about->setWordWrap(true);
    m_body->addRow(QString(), about);

    auto *rowHost = new QWidget;
    auto *row = new QHBoxLayout(rowHost);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(metrics::space2);
    m_which->setObjectName(QStringLiteral("dataChoice"));
    m_which->setAccessibleName(tr("Data"));
    m_which->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_which->setMinimumContentsLength(12);
    m_add->setObjectName(QStringLiteral("dataAdd"));
    auto *kinds = new QMenu(m_add);
    kinds->addAction(tr("A folder of this computer…"), this, [this] { chooseSource(true, true); });
    kinds->addAction(tr("A file of this computer…"), this, [this] { chooseSource(true, false); });
    kinds->addAction(tr("What a host has already"), this, [this] { add({}, k("data")); });
    m_add->setMenu(kinds);
    m_remove->setObjectName(QStringLiteral("dataRemove"));
    m_remove->setToolTip(tr("Remove"));
    m_remove->setAccessibleName(tr("Remove"));
    m_remove->setFixedWidth(metrics::field);
    row->addWidget(m_which);
    row->addWidget(m_add);
    row->addWidget(m_remove);
    row->addStretch(1);
    m_body->addRow(QString(), rowHost);

    auto *grid = new FormGrid;
    auto *inside = new QVBoxLayout(m_details);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->addWidget(grid);
    m_body->addWide(m_details);
    m_name = new KeyNameField(
        context, QStringLiteral("dataName"), tr("There are data '%1' already, so these are still called '%2'."));
    grid->addField(tr("Name"), m_name);
    m_from = new TextField(context, {}, tr("hosts have it already"));
    m_from->edit()->setObjectName(QStringLiteral("dataFrom"));
    auto *choose = pathButton(QStringLiteral("dataFromChoose"), tr("Choose a folder or a file"));
    auto *choices = new QMenu(choose);
    choices->addAction(tr("A folder…"), this, [this] { chooseSource(false, true); });
    choices->addAction(tr("A file…"), this, [this] { chooseSource(false, false); });
    choose->setMenu(choices);
    choose->setPopupMode(QToolButton::InstantPopup);
    m_from->setLabel(grid->addRow(tr("Here"), besidePathButton(m_from, choose)));
    m_paths = new ValuesTable(context, {}, ValuesTable::Kind::Keys);
    m_paths->setNames(QStringLiteral("dataPaths"), tr("Already on"), tr("Add a host or a label"));
    m_paths->setNote(tr("Hosts, or labels of hosts, with the path of the data there: nothing is copied to them."));
    grid->addField(tr("Already on"), m_paths);
    m_roles = new RolesField(context, {});
    m_roles->setObjectName(QStringLiteral("dataRoles"));
    grid->addField(tr("Roles"), m_roles);
    m_sum = new TextField(context, {}, tr("not compared"));
    m_sum->edit()->setObjectName(QStringLiteral("dataSum"));
    grid->addField(tr("SHA-256"), m_sum);

    connect(m_which, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_filling) {
            point();
        }
    });
    connect(m_name, &KeyNameField::renamed, this, [this](const QString &, const QString &to) { m_wanted = to; });
    connect(m_remove, &QPushButton::clicked, this, &DataFields::removeChosen);
}

void DataFields::addTo(FormGrid *grid)
{
    m_line->setAccessibleName(tr("Data"));
    grid->addRow(tr("Data"), m_line);
    grid->addWide(m_body);
    m_line->setBody(m_body);
}

YamlPath DataFields::chosen() const
{
    return m_which->currentIndex() < 0 ? YamlPath() : dataPath().child(m_which->currentText());
}

void DataFields::select(const QString &name)
{
    if (const int at = m_which->findText(name); at >= 0) {
        m_which->setCurrentIndex(at);
    }
}

void DataFields::refresh()
{
    m_filling = true;
    const QStringList names = m_context->keys(dataPath());
    QStringList present;
    for (int i = 0; i < m_which->count(); ++i) {
        present.append(m_which->itemText(i));
    }
    if (names != present) {
        const QString text = m_which->currentText();
        const int index = m_which->currentIndex();
        m_which->clear();
        m_which->addItems(names);
        const int same = int(names.indexOf(names.contains(m_wanted) ? m_wanted : text));
        const int last = int(names.size()) - 1;
        m_isRenamed = names.contains(m_wanted) && !text.isEmpty() && !names.contains(text);
        m_which->setCurrentIndex(same >= 0 ? same : std::clamp(index, std::min(0, last), last));
        m_wanted.clear();
    }
    m_filling = false;
    m_line->setSummary(summary());
    m_context->setFollowing(std::exchange(m_isRenamed, false));
    point();
    m_context->setFollowing(false);
    openForProblems();
}

void DataFields::point()
{
    const YamlPath at = chosen();
    const bool is = !at.isEmpty();
    const auto child = [&](const char *key) { return is ? at.child(k(key)) : YamlPath(); };
    m_which->setVisible(is);
    m_remove->setVisible(is);
    m_details->setVisible(is);
    m_add->setEnabled(!m_context->isReadOnly());
    m_remove->setEnabled(!m_context->isReadOnly());
    m_name->setPath(at);
    m_name->setHelp(isDataName(m_which->currentText())
            ? tr("Tasks find it at $%1.").arg(dataVariable(m_which->currentText()))
            : QString());
    m_from->setPath(child("from"));
    m_paths->setPath(child("paths"));
    m_paths->refresh();
    m_roles->setPath(child("roles"));
    m_sum->setPath(child("sha256"));
}

void DataFields::add(const QString &from, const QString &name)
{
    m_wanted = freshName(name, m_context->keys(dataPath()));
    const YamlPath at = dataPath().child(m_wanted);
    m_context->edit({from.isEmpty() ? edit::Op(edit::SetValue{at.child(k("paths")), "{}"})
                                    : edit::Op(edit::SetText{at.child(k("from")), from})},
        [this](const Result<void> &result) {
            if (result) {
                m_name->edit()->setFocus();
                m_name->edit()->selectAll();
            } else {
                m_wanted.clear();
            }
        });
}

void DataFields::chooseSource(bool isNew, bool isFolder)
{
    const YamlPath place = m_from->path();
    const QString present = isNew ? QString() : m_context->text(place).value_or(QString());
    choosePath(*m_context, m_line, isFolder ? tr("Folder with data") : tr("File with data"),
        isFolder ? PathKind::Folder : PathKind::File, present, [this, isNew, place](const QString &path) {
            const QString written = pathForDocument(*m_context, path);
            if (isNew) {
                add(written, nameOf(path));
            } else {
                m_context->edit({edit::SetText{place, written}});
            }
        });
}

void DataFields::removeChosen() { m_context->edit({edit::Remove{m_which->count() == 1 ? dataPath() : chosen()}}); }

QString DataFields::summary() const
{
    const QStringList names = m_context->keys(dataPath());
    if (names.isEmpty()) {
        return tr("none is brought to the hosts");
    }
    QStringList parts;
    for (const QString &name : names) {
        const QString from = m_context->text(dataPath().child(name).child(k("from"))).value_or(QString());
        parts.append(from.isEmpty() ? name : tr("%1 from %2").arg(name, from));
    }
    return parts.join(QStringLiteral(", "));
}

// The first of those that have a problem is chosen.
void DataFields::openForProblems()
{
    const QList<Diagnostic> &all = m_context->diagnostics();
    const auto problems = std::count_if(all.cbegin(), all.cend(),
        [](const Diagnostic &each) { return each.severity != Severity::Note && each.path.startsWith(dataPath()); });
    if (m_line->setProblems(int(problems))) {
        const auto first = std::find_if(all.cbegin(), all.cend(), [](const Diagnostic &each) {
            return each.severity != Severity::Note && each.path.startsWith(dataPath())
                && each.path.size() > dataPath().size();
        });
        const auto *name = first != all.cend() ? std::get_if<QString>(&first->path.at(dataPath().size())) : nullptr;
        if (name) {
            select(*name);
        }
    }
}

} // namespace trainyard
