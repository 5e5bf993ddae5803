// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/gui/designertools.h"
#include "widgets/editor/codeview.h"

#include <QComboBox>
#include <QListWidget>
#include <QPushButton>
#include <QTabBar>
#include <QTableWidget>
#include <QToolButton>

// A whole job, and what a user does in the cards of its form.
namespace designertools
{

// A job in which every section of the protocol is there, and keys that are in none.
inline const char fullText[] = R"(# everything
protocolVersion: 2
name: everything_there_is
type: job
version: "1.0"
contributor: OpenPAI
description: |
  A job that has every section.
tags_of_mine: [a, b]
jobRetryCount: 2
parameters:
  model: resnet20   # the small one
  batchsize: 32
  lr: 0.1
  a_parameter_with_a_rather_long_name_that_nobody_can_read: some text which is also long, much longer than the column
  layers: [64, 128]
  optimizer:
    name: adam
    betas: [0.9, 0.999]
  notes: |
    two
    lines
secrets:
  github_token: "******"
  docker_password: abcdefgh
prerequisites:
  - name: tf_example
    type: dockerimage
    uri: registry.example.org/team/with/a/long/path/openpai/pai.example.tensorflow:2.11.0-cuda12.1-cudnn8-runtime
    auth:
      username: me
      password: <% $secrets.docker_password %>
      registryuri: https://registry.example.org
  - name: install-git   # for the script
    type: script
    plugin: com.microsoft.pai.runtimeplugin.cmd
    callbacks:
      - event: taskStarts
        commands:
          - apt install -y git
  - name: cnn-benchmarks
    type: script
    plugin: com.microsoft.pai.runtimeplugin.cmd
    description: Benchmarks
    depth: 3
    require:
      - install-git
    callbacks:
      - event: taskStarts
        commands:
          - git clone https://example.org/benchmarks script_cnn
      - event: taskSucceeds
        commands:
          - rm -r script_cnn
    failurePolicy: ignore
  - name: cifar10-data
    type: data
    uri:
      - https://example.org/cifar10.tar.gz
      - https://example.org/cifar100.tar.gz
taskRoles:
  worker:
    instances: 4    # one per GPU
    completion:
      minFailedInstances: 1
      minSucceededInstances: 4
    taskRetryCount: 1
    dockerImage: tf_example
    data: cifar10-data
    prerequisites:
      - cnn-benchmarks
      - cifar10-data
    extraContainerOptions:
      shmMB: 4096
      infiniband: true
      privileged: true
    resourcePerInstance:
      gpu: 1
      cpu: 4
      memoryMB: 256
      ports:
        ssh: 1
        http: 1
    commands:
      - cd /work
      - |
        python train.py --job_name=worker \
          --ps_hosts=$PAI_TASK_ROLE_ps_HOST_LIST \
          --model=<% $parameters.model %> --batch_size=<% $parameters.batchsize %>
    mykey: 1
  ps:
    instances: 1
    dockerImage: tf_example
    resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 0}
    commands:
      - sleep infinity
  a_role_with_a_very_long_name_which_does_not_fit_anywhere_at_all:
    dockerImage: tf_example
    resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 0}
    commands:
      - sleep infinity
deployments:
  - name: lab
    taskRoles:
      worker:
        preCommands:
          - module load cuda
        postCommands:
          - echo done
  - name: cloud
    taskRoles:
      worker:
        preCommands:
          - az login
defaults:
  virtualCluster: vc1
  deployment: lab
extras:
  com.microsoft.pai.runtimeplugin:
    - plugin: ssh
      parameters:
        jobssh: true
        sshbarrier: true
        sshbarrierTimeout: 30
        userssh:
          type: custom
          value: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExample me@home
    - plugin: tensorboard
      parameters:
        port: 12001
        logdir:
          path: /mnt/tensorboard
    - plugin: git
      parameters:
        repo_uri: https://example.org/repository.git
        options: [--depth=1]
      taskroles: [worker]
    - plugin: teamwise_storage
      parameters:
        storageConfigNames: [confignfs]
    - plugin: mine
      parameters:
        alpha: 1
        beta: {x: 1}
  gangAllocation: true
  jobStatusChangeNotification:
    running: true
    failed: true
  hivedScheduler:
    jobPriorityClass: prod
    taskRoles:
      worker:
        skuType: K80
        skuNum: 2
    lazyPreemptionEnable: true
  storages:
    - name: confignfs
      mountPath: /data
  submitFrom: submit-job-v2
  trainyard:
    runIn: docker
    work: ~/work
    tags: [baseline]
  tensorBoard:
    randomStr: abc
# the end
)";

enum FormTab { ParametersTab, SecretsTab, PrerequisitesTab, DeploymentsTab, PluginsTab, ExtrasTab };

inline void openTab(DesignerPage *page, int index) { find<QTabBar>(page, "formTabs")->setCurrentIndex(index); }

inline void openItem(DesignerPage *page, int index, const char *list, int row)
{
    openTab(page, index);
    find<QListWidget>(page, list)->setCurrentRow(row);
}

// Types into the table's cell; the value's editor is the table's own.
inline void typeCell(DesignerPage *page, const char *name, int row, int column, const QString &text)
{
    auto *table = find<QTableWidget>(page, name);
    table->setCurrentCell(row, column);
    table->editItem(table->item(row, column));
    auto *editor = table->viewport()->findChild<QLineEdit *>();
    QVERIFY(editor);
    editor->selectAll();
    QTest::keyClicks(editor, text);
    QTest::keyClick(editor, Qt::Key_Return);
}

inline void typeLines(DesignerPage *page, const char *name, const QStringList &lines)
{
    auto *field = find<QWidget>(page, name);
    auto *view = field->findChild<CodeView *>(QStringLiteral("commandsText"));
    focus(view);
    view->setCaret(view->byteCount());
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i > 0 || view->byteCount() > 0) {
            QTest::keyClick(view, Qt::Key_Return);
        }
        QTest::keyClicks(view, lines.at(i));
    }
    leave(page);
}

inline void choose(DesignerPage *page, const char *name, int index)
{
    auto *combo = find<QComboBox>(page, name);
    combo->setCurrentIndex(index);
    Q_EMIT combo->activated(index);
}

inline void click(DesignerPage *page, const char *name) { find<QAbstractButton>(page, name)->click(); }

// The n-th tool of a table's row.
inline void rowTool(DesignerPage *page, const char *table, int row, const char *tool)
{
    find<QTableWidget>(page, table)->cellWidget(row, 2)->findChild<QToolButton *>(QLatin1String(tool))->click();
}

inline void typeValue(DesignerPage *page, const QByteArray &text)
{
    auto *view = find<CodeView>(page, "valueText");
    view->setAllBytes(text);
    find<QPushButton>(page, "valueDone")->click();
}

} // namespace designertools
