// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exchange/exportdialog.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/text/exporttexts.h"
#include "widgets/text/texts.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

constexpr QSize exportDialogSize(980, 700);
constexpr int targetsWidth = 190;
constexpr int mostNoteLines = 7;

struct TargetWords {
    QString name, about;
};

TargetWords wordsOf(ExportTarget target)
{
    switch (target) {
    case ExportTarget::Bash:
        return {ExportDialog::tr("Bash script"),
            ExportDialog::tr("Runs all tasks on one machine: bash FILE. It needs bash and the usual commands.")};
    case ExportTarget::Sbatch:
        return {ExportDialog::tr("Slurm"),
            ExportDialog::tr("A batch script: sbatch FILE. The work folder must be on a file system that all nodes "
                             "share.")};
    case ExportTarget::Compose:
        return {
            ExportDialog::tr("Docker Compose"), ExportDialog::tr("Each task is a service: docker compose -f FILE up.")};
    case ExportTarget::JobSet:
        return {ExportDialog::tr("Kubernetes"),
            ExportDialog::tr("A JobSet: kubectl apply -f FILE. The cluster needs the JobSet controller.")};
    case ExportTarget::SkyPilot:
        return {ExportDialog::tr("SkyPilot"), ExportDialog::tr("A task: sky launch FILE.")};
    case ExportTarget::Dstack:
        return {ExportDialog::tr("dstack"), ExportDialog::tr("A task: dstack apply -f FILE.")};
    }
    return {};
}

bool isScript(ExportTarget target) { return target == ExportTarget::Bash || target == ExportTarget::Sbatch; }

CodeView *makeView(CodeView::Language language, const QString &name)
{
    auto *view = new CodeView(language);
    view->setObjectName(name);
    view->setReadOnly(true);
    view->setFrameShape(QFrame::StyledPanel);
    view->setAccessibleName(ExportDialog::tr("The exported text"));
    return view;
}

} // namespace

ExportDialog::ExportDialog(const QString &job, bool hasImages, Export make, QWidget *parent)
    : QDialog(parent), m_make(std::move(make)), m_targets(new QListWidget), m_apptainer(new QCheckBox),
      m_about(mutedLabel({})), m_bar(new InfoBar),
      m_bash(makeView(CodeView::Language::Bash, QStringLiteral("exportBash"))),
      m_yaml(makeView(CodeView::Language::Yaml, QStringLiteral("exportYaml"))), m_nothing(new EmptyState),
      m_notesTitle(mutedLabel(tr("What is different there"))), m_notes(new QListWidget),
      m_copy(new QPushButton(icon(QStringLiteral("copy")), tr("Copy"))),
      m_saveFolder(new QPushButton(tr("Save with README…"))), m_save(new QPushButton(tr("Save as…"))),
      m_hasImages(hasImages)
{
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export %1").arg(job));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(parent ? exportDialogSize.boundedTo(parent->size() * 9 / 10) : exportDialogSize);

    m_targets->setObjectName(QStringLiteral("exportTargets"));
    m_targets->setAccessibleName(tr("System"));
    m_targets->setFixedWidth(targetsWidth);
    for (const QString &word : exportTargetWords()) {
        auto *item = new QListWidgetItem(wordsOf(*exportTargetOf(word)).name, m_targets);
        item->setData(Qt::UserRole, word);
        item->setSizeHint({0, metrics::row});
    }
    m_about->setObjectName(QStringLiteral("exportAbout"));
    m_about->setWordWrap(true);
    m_apptainer->setObjectName(QStringLiteral("exportApptainer"));
    m_apptainer->setText(tr("Run tasks in the images of their roles, with Apptainer"));
    m_bar->setBoxed(true);
    m_bar->setClosable(false);
    m_bar->hide();
    m_nothing->setObjectName(QStringLiteral("exportNothing"));
    m_notes->setObjectName(QStringLiteral("exportNotes"));
    m_notes->setAccessibleName(m_notesTitle->text());
    m_notes->setWordWrap(true);
    m_notes->setSelectionMode(QAbstractItemView::NoSelection);
    m_notes->setFocusPolicy(Qt::NoFocus);
    m_notes->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto *right = new QVBoxLayout;
    right->setSpacing(metrics::space2);
    right->addWidget(m_about);
    right->addWidget(m_apptainer);
    right->addWidget(m_bar);
    right->addWidget(m_bash, 1);
    right->addWidget(m_yaml, 1);
    right->addWidget(m_nothing, 1);
    right->addWidget(m_notesTitle);
    right->addWidget(m_notes);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(metrics::space3);
    columns->addWidget(m_targets);
    columns->addLayout(right, 1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_copy->setObjectName(QStringLiteral("exportCopy"));
    m_saveFolder->setObjectName(QStringLiteral("exportSaveFolder"));
    m_saveFolder->setToolTip(tr("Saves the text in a folder with a README.md for the people who get it, which says how "
                                "it is run and what is different there"));
    m_save->setObjectName(QStringLiteral("exportSave"));
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    buttons->addButton(m_saveFolder, QDialogButtonBox::ActionRole);
    buttons->addButton(m_save, QDialogButtonBox::ActionRole);
    setButtonKind(m_save, ButtonKind::Primary);
    m_save->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space4, metrics::space4, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addLayout(columns, 1);
    layout->addWidget(buttons);

    connect(m_targets, &QListWidget::currentRowChanged, this, &ExportDialog::makeText);
    connect(m_apptainer, &QCheckBox::toggled, this, &ExportDialog::makeText);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        Q_EMIT copyRequested(m_exported->text);
        say(tr("The text is in the clipboard."), false);
    });
    connect(m_saveFolder, &QPushButton::clicked, this,
        [this] { Q_EMIT folderRequested(*m_exported, target(), options()); });
    connect(m_save, &QPushButton::clicked, this, [this] { Q_EMIT saveRequested(m_exported->text, target()); });
    m_targets->setCurrentRow(0);
}

ExportTarget ExportDialog::target() const
{
    const QListWidgetItem *item = m_targets->currentItem();
    return item ? *exportTargetOf(item->data(Qt::UserRole).toString()) : ExportTarget::Bash;
}

void ExportDialog::setTarget(ExportTarget target)
{
    for (int i = 0; i < m_targets->count(); ++i) {
        if (exportTargetOf(m_targets->item(i)->data(Qt::UserRole).toString()) == target) {
            m_targets->setCurrentRow(i);
        }
    }
}

void ExportDialog::say(const QString &sentence, bool failed)
{
    m_bar->show(failed ? InfoBar::Kind::Failed : InfoBar::Kind::Succeeded, sentence.toHtmlEscaped());
}

void ExportDialog::makeText()
{
    const ExportTarget to = target();
    m_about->setText(wordsOf(to).about);
    m_apptainer->setVisible(isScript(to) && m_hasImages);
    m_bar->hide();
    m_exported = m_make(to, options());
    showText();
}

ExportOptions ExportDialog::options() const
{
    ExportOptions options;
    options.apptainer = m_apptainer->isVisibleTo(this) && m_apptainer->isChecked();
    options.sentence = exportNoteText;
    return options;
}

void ExportDialog::showText()
{
    const bool isBash = isScript(target()), isThere = m_exported.has_value();
    m_bash->setVisible(isBash && isThere);
    m_yaml->setVisible(!isBash && isThere);
    m_nothing->setVisible(!isThere);
    CodeView *view = isBash ? m_bash : m_yaml;
    view->setReadOnly(false);
    view->setAllBytes(isThere ? m_exported->text : QByteArray());
    view->setReadOnly(true);
    for (QPushButton *button : {m_copy, m_saveFolder, m_save}) {
        button->setEnabled(isThere);
    }
    m_notes->clear();
    if (!isThere) {
        m_nothing->setText(tr("This job cannot be exported to %1.").arg(wordsOf(target()).name));
        m_nothing->setDetail(errorText(m_exported.error()));
    } else {
        for (const ExportNote &note : m_exported->notes) {
            m_notes->addItem(exportNoteText(note));
        }
    }
    const bool hasNotes = m_notes->count() > 0;
    m_notesTitle->setVisible(hasNotes);
    m_notes->setVisible(hasNotes);
    const int lines = std::min(2 * m_notes->count(), mostNoteLines);
    m_notes->setFixedHeight(QFontMetrics(m_notes->font()).lineSpacing() * lines + metrics::space3);
}

} // namespace trainyard
